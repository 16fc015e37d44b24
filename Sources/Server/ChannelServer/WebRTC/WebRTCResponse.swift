import ControlWire
import WebSocketIO

/// The answers of WHIP and WHEP, which pages of any origin may read.
enum WebRTCResponse {
  private static let origin = [("Access-Control-Allow-Origin", "*")]
  /// What refusals have that do not come from here.
  static let refusalHeaders = origin.map { (name: $0.0, value: $0.1) }

  /// What a browser asks before a request with content.
  static let options = HTTPResponse(
    status: 204, body: "",
    headers: refusalHeaders + [
      (name: "Access-Control-Allow-Methods", value: "OPTIONS, POST, GET, PATCH, DELETE"),
      (name: "Access-Control-Allow-Headers", value: "Authorization, Content-Type, If-Match, Last-Event-ID"),
      (name: "Access-Control-Max-Age", value: "86400"), (name: "Accept-Post", value: "application/sdp"),
    ])

  /// A session has begun; `uid` is the user's number in the channel.
  ///
  /// - Parameters:
  ///   - isPlayer: whether the client may choose among encodings, and is told what happens.
  ///   - rejections: what was not accepted of the offer, as sentences.
  static func created(
    _ answer: String, location: String, entityTag: String, uid: UInt, isPlayer: Bool, rejections: [String]
  ) -> HTTPResponse {
    let media = "<\(location)/media>; rel=\"urn:greenroom:whip:ext:media\""
    let links = [
      "<\(location)/layer>; rel=\"urn:ietf:params:whep:ext:core:layer\"",
      "<\(location)/sse>; rel=\"urn:ietf:params:whep:ext:core:server-sent-events\"; events=\"active,inactive,tokenWillExpire\"",
    ]
    let rejected = rejections.isEmpty ? [] : [("Greenroom-Rejected", fieldValue(rejections))]
    return response(
      201, contentType: "application/sdp", answer,
      [
        ("Location", location), ("ETag", entityTag), ("Accept-Patch", "application/trickle-ice-sdpfrag"),
        ("Greenroom-UID", "\(uid)"),
        ("Access-Control-Expose-Headers", "Location, ETag, Link, Accept-Patch, Greenroom-UID, Greenroom-Rejected"),
      ] + [("Link", isPlayer ? links.joined(separator: ", ") : media)] + rejected)
  }

  /// Where the events of a session are.
  static func eventsCreated(location: String) -> HTTPResponse {
    response(
      201, contentType: "text/plain", "", [("Location", location), ("Access-Control-Expose-Headers", "Location")])
  }

  /// A piece of an event stream; after it the client asks again at once.
  static func events(_ text: String) -> HTTPResponse {
    response(
      200, contentType: "text/event-stream", "retry: 100\n\n" + text, [("Cache-Control", "no-store")])
  }

  /// Texts that have words of a client in them, as the value of a header field (RFC 9110 section 5.5).
  private static func fieldValue(_ texts: [String]) -> String {
    let bytes = texts.joined(separator: " ").utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: bytes.prefix(1_000), as: UTF8.self)
  }

  /// ICE has been restarted; `fragment` has the server's new credentials.
  static func restarted(_ fragment: String, entityTag: String) -> HTTPResponse {
    response(
      200, contentType: "application/trickle-ice-sdpfrag", fragment,
      [("ETag", entityTag), ("Access-Control-Expose-Headers", "ETag")])
  }

  static func done(_ status: UInt32) -> HTTPResponse { response(status, contentType: "text/plain", "", []) }

  /// After how many seconds a client may try again that found no room (RFC 9110 section 10.2.3).
  private static let retrySeconds = 5

  /// - Parameter shown: what pages of other origins may read, too.
  static func refusal(
    _ status: UInt32, _ sentence: String, _ headers: [(String, String)] = [], shown: [(String, String)] = []
  ) -> HTTPResponse {
    let isForNow = status == 503 || status == 429
    let shown = shown + (isForNow ? [("Retry-After", "\(retrySeconds)")] : [])
    let names = shown.isEmpty ? [] : [("Access-Control-Expose-Headers", shown.map(\.0).joined(separator: ", "))]
    return response(status, contentType: "text/plain; charset=utf-8", sentence + "\n", headers + shown + names)
  }

  /// What the channels say; who has not shown a good token is told how to (RFC 6750 section 3).
  static func refusal(_ error: ErrorResponse) -> HTTPResponse {
    let status = status(of: error.code)
    return refusal(
      status, error.message, status == 401 ? [("WWW-Authenticate", "Bearer realm=\"greenroom\"")] : [],
      shown: [("Greenroom-Error", "\(error.code.rawValue)")])
  }

  /// A request is about a session that there is not, or not any longer, for this reason.
  static func noSession(_ error: ErrorResponse?) -> HTTPResponse {
    guard let error else { return refusal(404, "There is no such session.") }
    return refusal(404, error.message, shown: [("Greenroom-Error", "\(error.code.rawValue)")])
  }

  private static func response(
    _ status: UInt32, contentType: String, _ body: String, _ headers: [(String, String)]
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, contentType: contentType, body: body,
      headers: (origin + headers).map { (name: $0.0, value: $0.1) })
  }

  /// Whether the content has this media type, whatever its parameters.
  static func hasType(_ request: HTTPRequest, _ type: String) -> Bool {
    let value = request.header("content-type")?.split(separator: ";").first ?? ""
    return value.lowercased().filter { $0 != " " } == type
  }

  /// The status that fits an error of the channels.
  static func status(of code: ControlErrorCode) -> UInt32 {
    switch code {
    case .invalidToken, .tokenExpired, .invalidAppID: 401
    case .banned, .roleNotAuthorized: 403
    case .resourceLimited: 503
    case .sameUIDLogin: 409
    default: 400
    }
  }
}
