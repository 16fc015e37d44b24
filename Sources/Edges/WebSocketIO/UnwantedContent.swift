import CSoup

/// Content of requests is not kept unless a route wants it, and those who send very much of it all the same are cut off.
enum UnwantedContent {
  static func refuse(by server: UnsafeMutablePointer<SoupServer>, requests: SoupRequests, after byteCount: Int) {
    connectSignal(
      OpaquePointer(server), "request-started", unsafeBitCast(requestStarted, to: GCallback.self),
      keeping: Allowance(byteCount, requests))
  }
}

/// How many bytes may come.
private final class Allowance {
  private(set) weak var requests: SoupRequests?
  private(set) var byteCount: Int

  init(_ byteCount: Int, _ requests: SoupRequests?) {
    self.byteCount = byteCount
    self.requests = requests
  }

  func take(_ count: Int, by message: OpaquePointer) {
    byteCount -= count
    if byteCount < 0, let socket = requests?.socket(of: message) { g_socket_close(socket, nil) }
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
      keeping: Allowance(whole.byteCount, whole.requests))
  }

private let gotChunk: @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
  message, chunk, data in
  guard let message, let chunk, let data else { return }
  Unmanaged<Allowance>.fromOpaque(data).takeUnretainedValue().take(Int(g_bytes_get_size(chunk)), by: message)
}
