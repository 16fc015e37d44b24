/// What a route answers.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: UInt32
  /// The media type of `body`.
  public var contentType: String
  /// The content.
  public var body: String
  /// Further header fields, in order; a name may come more than once.
  public var headers: [(name: String, value: String)]

  /// Makes a response.
  public init(
    status: UInt32 = 200, contentType: String = "application/json", body: String,
    headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.headers = headers
  }

  /// A sentence as plain text, for people.
  public static func text(_ status: UInt32, _ sentence: String) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: sentence + "\n")
  }
}
