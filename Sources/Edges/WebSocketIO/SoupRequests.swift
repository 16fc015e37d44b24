import CSoup
import LinuxIO
import MediaBase
import OpenSSLTLS

/// Requests that libsoup reads and answers, on a GLib thread of its own; watches their connections until they have been
/// answered, for libsoup lets clients take as long as they like.
final class SoupRequests: @unchecked Sendable {
  // @unchecked: everything that changes is touched on the GLib thread only.

  /// A connection with a request whose head has come.
  struct Begun: @unchecked Sendable {
    // @unchecked: given from one thread to another, and not used by the first any more.

    var fileDescriptor: Int32
    var session: TLSSession?
    /// What has been read of the request.
    var received: [UInt8]
    var beginTime: MediaInstant
    /// Called when the connection has ended, on any thread.
    var onEnd: @Sendable () -> Void
  }

  private struct Connection {
    let socket: UnsafeMutablePointer<GSocket>
    let beginTime: MediaInstant
  }

  let loop: GLibLoop
  private let limits: HTTPLimits
  private(set) var server: UnsafeMutablePointer<SoupServer>?
  /// By the client's address: the object, which libsoup keeps with the connection and gives back.
  private var connections: [UnsafeMutablePointer<GSocketAddress>: Connection] = [:]

  private static let watchInterval: UInt32 = 1_000

  init(loop: GLibLoop, limits: HTTPLimits) {
    self.loop = loop
    self.limits = limits
  }

  /// Makes the server, on the GLib thread; `false` if libsoup cannot.
  func begin() -> Bool {
    guard let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil) else { return false }
    let server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
    self.server = server
    UnwantedContent.refuse(by: server, requests: self, after: limits.unwantedByteCount)
    watch()
    return true
  }

  /// Takes a connection over. From any thread.
  func take(_ begun: Begun) { loop.post { [self] in accept(begun) } }

  func stop() {
    guard let server else { return }
    self.server = nil
    soup_server_disconnect(server)
    g_object_unref(UnsafeMutableRawPointer(server))
  }

  private func accept(_ begun: Begun) {
    guard let server, let socket = g_socket_new_from_fd(begun.fileDescriptor, nil) else {
      close(begun.fileDescriptor)
      return begun.onEnd()
    }
    defer { g_object_unref(UnsafeMutableRawPointer(socket)) }
    // Fails if the client has gone again.
    guard let local = g_socket_get_local_address(socket, nil) else { return begun.onEnd() }
    defer { g_object_unref(UnsafeMutableRawPointer(local)) }
    guard let remote = g_socket_get_remote_address(socket, nil) else { return begun.onEnd() }
    defer { g_object_unref(UnsafeMutableRawPointer(remote)) }
    guard let stream = MeteredConnection.make(socket, begun.session, received: begun.received) else {
      return begun.onEnd()
    }
    defer { g_object_unref(UnsafeMutableRawPointer(stream)) }
    g_object_ref(UnsafeMutableRawPointer(socket))
    g_object_ref(UnsafeMutableRawPointer(remote))
    connections[remote] = Connection(socket: socket, beginTime: begun.beginTime)
    let ending = Ending(requests: self, socket: socket, remote: remote, onEnd: begun.onEnd)
    g_object_weak_ref(
      UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GObject.self), connectionEnded,
      Unmanaged.passRetained(ending).toOpaque())
    soup_server_accept_iostream(server, stream, local, remote, nil)
  }

  /// A connection is no more. From any thread: GLib closes some streams on threads of its own.
  fileprivate func ended(_ ending: Ending) { loop.post { [weak self] in self?.connections[ending.remote] = nil } }

  /// The socket that a request has come from; it lasts as long as the connection.
  func socket(of message: OpaquePointer) -> UnsafeMutablePointer<GSocket>? {
    soup_server_message_get_remote_address(message).flatMap { connections[$0]?.socket }
  }

  /// Cuts off those who have not sent a request, or not taken its answer, in time.
  private func watch() {
    guard server != nil else { return }
    let now = MonotonicClock.now()
    for (remote, connection) in connections where now - connection.beginTime > limits.requestTimeout {
      connections[remote] = nil
      g_socket_close(connection.socket, nil)
    }
    loop.post(afterMilliseconds: Self.watchInterval) { [weak self] in self?.watch() }
  }
}

/// Tells that a connection is no more, and frees what it was known by.
private final class Ending: @unchecked Sendable {
  // @unchecked: the pointers are never changed, and GLib counts references on any thread.

  private weak let requests: SoupRequests?
  private let socket: UnsafeMutablePointer<GSocket>
  let remote: UnsafeMutablePointer<GSocketAddress>
  private let onEnd: @Sendable () -> Void

  init(
    requests: SoupRequests, socket: UnsafeMutablePointer<GSocket>, remote: UnsafeMutablePointer<GSocketAddress>,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.requests = requests
    self.socket = socket
    self.remote = remote
    self.onEnd = onEnd
  }

  func report() {
    requests?.ended(self)
    onEnd()
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(socket))
    g_object_unref(UnsafeMutableRawPointer(remote))
  }
}

private func connectionEnded(_ data: UnsafeMutableRawPointer?, _ stream: UnsafeMutablePointer<GObject>?) {
  guard let data else { return }
  Unmanaged<Ending>.fromOpaque(data).takeRetainedValue().report()
}
