/// What a route answers.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: UInt32
  /// The media type of `body`.
  public var contentType: String
  /// The content.
  public var body: String

  /// Makes a response.
  public init(status: UInt32 = 200, contentType: String = "application/json", body: String) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }
}
