import CSoup

/// Everything at and below a path goes to one handler, which runs on the server's thread.
final class HTTPRoute {
  typealias Handler = @Sendable (HTTPExchange) -> Void

  let maximumBodyByteCount: Int
  private let refusalHeaders: [(name: String, value: String)]
  private weak let loop: GLibLoop?
  private weak let handlerLoop: ServerLoop?
  private let handler: Handler

  init(
    maximumBodyByteCount: Int, refusalHeaders: [(name: String, value: String)], loop: GLibLoop,
    handlerLoop: ServerLoop, handler: @escaping Handler
  ) {
    self.maximumBodyByteCount = maximumBodyByteCount
    self.refusalHeaders = refusalHeaders
    self.loop = loop
    self.handlerLoop = handlerLoop
    self.handler = handler
  }

  /// Has requests at and below `path` brought here; `server` keeps this object as long as it lives.
  func attach(to server: UnsafeMutablePointer<SoupServer>, path: String) {
    soup_server_add_early_handler(
      server, path, checkLength, Unmanaged.passRetained(self).toOpaque(), freeHTTPRoute)
    soup_server_add_handler(server, path, handleRequest, Unmanaged.passRetained(self).toOpaque(), freeHTTPRoute)
  }

  /// Refuses content that would be too long before it is read.
  fileprivate func check(_ message: OpaquePointer) {
    let headers = soup_server_message_get_request_headers(message)
    switch soup_message_headers_get_encoding(headers) {
    case SOUP_ENCODING_NONE: break
    case SOUP_ENCODING_CONTENT_LENGTH:
      guard soup_message_headers_get_content_length(headers) > goffset(maximumBodyByteCount) else {
        return soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 1)
      }
      refuse(message, 413, "The content is longer than \(maximumBodyByteCount) bytes.")
    default: refuse(message, 411, "Send the content's length (Content-Length).")
    }
  }

  /// What comes of the content all the same is not kept.
  private func refuse(_ message: OpaquePointer, _ status: UInt32, _ sentence: String) {
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
    var response = HTTPResponse.text(status, sentence)
    response.headers = refusalHeaders
    HTTPExchange.answer(message, response)
  }

  fileprivate func handle(_ message: OpaquePointer, path: String) {
    guard let loop else { return }
    guard let query = Self.query(message) else {
      return refuse(message, 400, "The query is malformed: write each parameter once, as UTF-8 with percent escapes.")
    }
    let request = HTTPRequest(
      method: soup_server_message_get_method(message).map { String(cString: $0) } ?? "", path: path,
      query: query, headers: Self.fields(soup_server_message_get_request_headers(message)),
      body: Self.content(message),
      remoteHost: soup_server_message_get_remote_host(message).map { String(cString: $0) } ?? "")
    let exchange = HTTPExchange(message, request: request, loop: loop)
    handlerLoop?.post { [handler] in handler(exchange) }
  }

  private static func content(_ message: OpaquePointer) -> String {
    let body = soup_server_message_get_request_body(message)
    guard soup_message_body_get_accumulate(body) != 0, let bytes = soup_message_body_flatten(body) else { return "" }
    defer { g_bytes_unref(bytes) }
    var count: gsize = 0
    guard let data = g_bytes_get_data(bytes, &count), count > 0 else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: data, count: Int(count)), as: UTF8.self)
  }

  private final class Pairs { var values: [String: String] = [:] }

  private static func fields(_ headers: OpaquePointer?) -> [String: String] {
    guard let headers else { return [:] }
    let pairs = Pairs()
    soup_message_headers_foreach(
      headers,
      { name, value, data in
        guard let name, let value, let data else { return }
        let pairs = Unmanaged<Pairs>.fromOpaque(data).takeUnretainedValue()
        pairs.values[String(cString: name).lowercased()] = String(cString: value)
      }, Unmanaged.passUnretained(pairs).toOpaque())
    return pairs.values
  }

  /// The query's parameters as they stand in the request: libsoup would end texts at a zero byte.
  private static func query(_ message: OpaquePointer) -> [String: String]? {
    guard let text = soup_server_message_get_uri(message).flatMap({ g_uri_get_query($0) }) else { return [:] }
    return HTTPQuery.parameters(String(cString: text))
  }
}

private func freeHTTPRoute(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<HTTPRoute>.fromOpaque(data).release() }
}

private func checkLength(
  _ server: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ query: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) {
  guard let message, let data else { return }
  Unmanaged<HTTPRoute>.fromOpaque(data).takeUnretainedValue().check(message)
}

private func handleRequest(
  _ server: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ query: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) {
  guard let message, let path, let data else { return }
  Unmanaged<HTTPRoute>.fromOpaque(data).takeUnretainedValue()
    .handle(message, path: String(cString: path))
}
