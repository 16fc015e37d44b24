import CSoup

/// Content of requests is not kept unless a route wants it, and those who send very much of it all the same are cut off.
enum UnwantedContent {
  static func refuse(by server: UnsafeMutablePointer<SoupServer>, listener: HTTPListener, after byteCount: Int) {
    connectSignal(
      OpaquePointer(server), "request-started", unsafeBitCast(requestStarted, to: GCallback.self),
      keeping: Allowance(byteCount, listener))
  }
}

/// How many bytes may come.
private final class Allowance {
  private(set) weak var listener: HTTPListener?
  private(set) var byteCount: Int

  init(_ byteCount: Int, _ listener: HTTPListener?) {
    self.byteCount = byteCount
    self.listener = listener
  }

  func take(_ count: Int, by message: OpaquePointer) {
    byteCount -= count
    if byteCount < 0, let socket = listener?.socket(of: message) { g_socket_close(socket, nil) }
  }
}

private let requestStarted:
  @convention(c) (UnsafeMutablePointer<SoupServer>?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
    _, message, data in
    guard let message, let data else { return }
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
    let whole = Unmanaged<Allowance>.fromOpaque(data).takeUnretainedValue()
    connectSignal(
      message, "got-chunk", unsafeBitCast(gotChunk, to: GCallback.self),
      keeping: Allowance(whole.byteCount, whole.listener))
  }

private let gotChunk: @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
  message, chunk, data in
  guard let message, let chunk, let data else { return }
  Unmanaged<Allowance>.fromOpaque(data).takeUnretainedValue().take(Int(g_bytes_get_size(chunk)), by: message)
}
