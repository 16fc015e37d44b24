import CSoup
import Synchronization

/// One request that waits for its answer. The answer may come from any thread, once.
public final class HTTPExchange: @unchecked Sendable {
  // @unchecked: `message` is touched on the loop's thread only.

  /// What is asked for.
  public let request: HTTPRequest
  private let message: OpaquePointer
  private weak var loop: GLibLoop?
  private let isAnswered = Mutex(false)

  /// Holds the answer back until `respond` is called.
  init(_ message: OpaquePointer, request: HTTPRequest, loop: GLibLoop) {
    self.message = message
    self.request = request
    self.loop = loop
    g_object_ref(UnsafeMutableRawPointer(message))
    for end in ["finished", "disconnected"] {
      g_signal_connect_data(
        UnsafeMutableRawPointer(message), end, unsafeBitCast(noteEnd, to: GCallback.self), nil, nil, GConnectFlags(0))
    }
    soup_server_message_pause(message)
  }

  /// Whoever lets go without an answer has failed.
  deinit {
    guard !isAnswered.withLock({ $0 }) else { return }
    let message = Message(pointer: message)
    loop?.post { message.finish(HTTPResponse.text(500, "The server could not answer.")) }
  }

  /// Answers. Later calls are ignored.
  public func respond(_ response: HTTPResponse) {
    let isFirst = isAnswered.withLock { isAnswered in
      defer { isAnswered = true }
      return !isAnswered
    }
    guard isFirst else { return }
    let message = Message(pointer: message)
    loop?.post { message.finish(response) }
  }

  /// The message on its way to the loop's thread.
  private struct Message: @unchecked Sendable {
    let pointer: OpaquePointer
    private var object: UnsafeMutablePointer<GObject> {
      UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self)
    }

    func finish(_ response: HTTPResponse) {
      // Whose client has gone while it waited cannot be answered any more.
      if g_object_get_data(object, endKey) == nil {
        Self.set(response, on: pointer)
        soup_server_message_unpause(pointer)
      }
      g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    static func set(_ response: HTTPResponse, on message: OpaquePointer) {
      soup_server_message_set_status(message, response.status, nil)
      let headers = soup_server_message_get_response_headers(message)
      // One request a connection: so the time that it may take is known.
      soup_message_headers_append(headers, "Connection", "close")
      for field in response.headers { soup_message_headers_append(headers, field.name, field.value) }
      guard !response.body.isEmpty else { return }
      soup_server_message_set_response(
        message, response.contentType, SOUP_MEMORY_COPY, response.body, gsize(response.body.utf8.count))
    }
  }

  /// Answers at once, for handlers that need not wait.
  static func answer(_ message: OpaquePointer, _ response: HTTPResponse) { Message.set(response, on: message) }
}

private let endKey = "greenroom-end"

private let noteEnd: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { message, _ in
  guard let message else { return }
  g_object_set_data(
    UnsafeMutableRawPointer(message).assumingMemoryBound(to: GObject.self), endKey,
    UnsafeMutableRawPointer(bitPattern: 1))
}
