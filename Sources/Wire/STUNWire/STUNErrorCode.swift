/// The value of ERROR-CODE (RFC 8489 section 14.8).
public struct STUNErrorCode: Hashable, Sendable {
  /// 300...699.
  public var code: UInt16
  /// Text for people; may be empty.
  public var reason: String

  /// Makes an error code; `code` is 300...699.
  public init(code: UInt16, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// 400, the request is malformed.
  public static let badRequest = STUNErrorCode(code: 400, reason: "Bad Request")
  /// 401, the credentials are missing or wrong.
  public static let unauthenticated = STUNErrorCode(code: 401, reason: "Unauthenticated")
  /// 420, the request has comprehension-required attributes that are not known.
  public static let unknownAttribute = STUNErrorCode(code: 420, reason: "Unknown Attribute")
  /// 487, both agents have the same ICE role (RFC 8445 section 7.3.1.1).
  public static let roleConflict = STUNErrorCode(code: 487, reason: "Role Conflict")
}
