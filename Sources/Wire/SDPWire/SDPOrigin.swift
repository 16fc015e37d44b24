/// The `o=` line (RFC 8866 section 5.2): the session's identity and the description's version.
public struct SDPOrigin: Hashable, Sendable {
  /// The maker's name; "-" for none.
  public var username: String
  /// The session.
  public var sessionID: UInt64
  /// Grows by one with each description of the session.
  public var sessionVersion: UInt64
  /// The maker's address; browsers write 127.0.0.1.
  public var address: String

  /// Makes an origin.
  public init(username: String = "-", sessionID: UInt64, sessionVersion: UInt64 = 1, address: String = "127.0.0.1") {
    self.username = username
    self.sessionID = sessionID
    self.sessionVersion = sessionVersion
    self.address = address
  }

  /// Takes the text behind `o=`. Identities beyond 64 bits, which some makers write, count as 0.
  init?(parsing text: Substring) {
    let words = text.split(separator: " ")
    guard words.count == 6, words[1].allSatisfy(\.isNumber), words[2].allSatisfy(\.isNumber) else { return nil }
    self.init(
      username: String(words[0]), sessionID: UInt64(words[1]) ?? 0, sessionVersion: UInt64(words[2]) ?? 0,
      address: String(words[5]))
  }

  var line: String {
    let family = address.contains(":") ? "IP6" : "IP4"
    return "o=\(username) \(sessionID) \(sessionVersion) IN \(family) \(address)"
  }
}
