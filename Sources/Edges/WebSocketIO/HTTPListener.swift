import CSoup
import Glibc
import LinuxIO
import MediaBase
import OpenSSLTLS

/// Accepts connections for a SoupServer, and watches them until they have been answered or have become WebSockets.
///
/// libsoup's own listener never accepts again once accepting has failed, as it does when the process has no descriptor left,
/// queues ten connections, and lets clients take as long as they like.
final class HTTPListener: @unchecked Sendable {
  // @unchecked: touched on the loop's thread only.

  /// Connections that wait to be accepted. The kernel has its own limit (somaxconn).
  static let backlog: Int32 = 4_096

  let boundPort: UInt16
  let identity: TLSIdentity?
  private let socket: UnsafeMutablePointer<GSocket>
  private let server: UnsafeMutablePointer<SoupServer>
  private let limits: HTTPLimits
  private weak var loop: GLibLoop?
  private var source: UnsafeMutablePointer<GSource>?
  /// By the client's address: the object, which libsoup keeps with the connection and gives back.
  private var connections: [UnsafeMutablePointer<GSocketAddress>: Connection] = [:]

  private struct Connection {
    let socket: UnsafeMutablePointer<GSocket>
    /// Since when its request is waited for; `nil` for WebSockets.
    var waitTime: MediaInstant?
  }

  init(
    host: String, port: UInt16, server: UnsafeMutablePointer<SoupServer>, identity: TLSIdentity?, limits: HTTPLimits,
    loop: GLibLoop
  ) throws(HTTPServerError) {
    guard let address = g_inet_socket_address_new_from_string(host, UInt32(port)) else {
      throw .badAddress(host: host)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(address)) }
    var error: UnsafeMutablePointer<GError>?
    guard
      let socket = g_socket_new(
        g_socket_address_get_family(address), G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &error)
    else { throw HTTPServerError(take(error), host: host, port: port) }
    g_socket_set_blocking(socket, 0)
    g_socket_set_listen_backlog(socket, Self.backlog)
    guard g_socket_bind(socket, address, 1, &error) != 0, g_socket_listen(socket, &error) != 0 else {
      g_object_unref(UnsafeMutableRawPointer(socket))
      throw HTTPServerError(take(error), host: host, port: port)
    }
    boundPort = Self.port(of: socket) ?? port
    self.socket = socket
    self.server = server
    self.identity = identity
    self.limits = limits
    self.loop = loop
    begin()
  }

  deinit {
    pause()
    g_socket_close(socket, nil)
    g_object_unref(UnsafeMutableRawPointer(socket))
  }

  private static func port(of socket: UnsafeMutablePointer<GSocket>) -> UInt16? {
    guard let address = g_socket_get_local_address(socket, nil) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(address)) }
    return UInt16(
      exactly: g_inet_socket_address_get_port(
        UnsafeMutableRawPointer(address).assumingMemoryBound(to: GInetSocketAddress.self)))
  }

  private func begin() {
    guard source == nil, let source = g_socket_create_source(socket, G_IO_IN, nil) else { return }
    self.source = source
    g_source_set_callback(
      source, unsafeBitCast(acceptConnections, to: GSourceFunc.self), Unmanaged.passUnretained(self).toOpaque(), nil)
    g_source_attach(source, g_main_context_get_thread_default())
  }

  private func pause() {
    guard let source else { return }
    self.source = nil
    g_source_destroy(source)
    g_source_unref(source)
  }

  /// Takes some of the connections that wait.
  fileprivate func accept() {
    for _ in 0..<16 {
      var error: UnsafeMutablePointer<GError>?
      guard let accepted = g_socket_accept(socket, nil, &error) else {
        let (domain, code, _) = take(error)
        if domain == g_io_error_quark(), GIOErrorEnum(UInt32(bitPattern: code)) == G_IO_ERROR_WOULD_BLOCK { return }
        return rest()
      }
      defer { g_object_unref(UnsafeMutableRawPointer(accepted)) }
      if connections.count < limits.connectionCount { begin(accepted) } else { g_socket_close(accepted, nil) }
    }
  }

  /// Accepting has failed, most likely for want of descriptors: the connections go on waiting, and so do we.
  private func rest() {
    pause()
    loop?.post(afterMilliseconds: 100) { [weak self] in self?.begin() }
  }

  private func begin(_ accepted: UnsafeMutablePointer<GSocket>) {
    guard let local = g_socket_get_local_address(accepted, nil) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(local)) }
    // Fails if the client has gone again.
    guard let remote = g_socket_get_remote_address(accepted, nil) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(remote)) }
    guard let stream = makeStream(accepted) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(stream)) }
    g_socket_set_option(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, 1, nil)
    g_object_ref(UnsafeMutableRawPointer(accepted))
    g_object_ref(UnsafeMutableRawPointer(remote))
    connections[remote] = Connection(socket: accepted, waitTime: MonotonicClock.now())
    let ending = Ending(listener: self, socket: accepted, remote: remote)
    g_object_weak_ref(
      UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GObject.self), connectionEnded,
      Unmanaged.passRetained(ending).toOpaque())
    soup_server_accept_iostream(server, stream, local, remote, nil)
  }

  private func makeStream(_ accepted: UnsafeMutablePointer<GSocket>) -> UnsafeMutablePointer<GIOStream>? {
    guard let identity else { return MeteredConnection.make(accepted) }
    guard let session = identity.context.makeSession(fileDescriptor: g_socket_get_fd(accepted)) else { return nil }
    return MeteredConnection.make(accepted, session)
  }

  /// A connection is no more. From any thread: GLib closes some streams on threads of its own.
  fileprivate func ended(_ ending: Ending) { loop?.post { [weak self] in self?.connections[ending.remote] = nil } }

  /// The socket that a request has come from; it lasts as long as the connection.
  func socket(of message: OpaquePointer) -> UnsafeMutablePointer<GSocket>? {
    soup_server_message_get_remote_address(message).flatMap { connections[$0]?.socket }
  }

  /// The request's connection has become a WebSocket and may last.
  func hasUpgraded(_ message: OpaquePointer) {
    guard let remote = soup_server_message_get_remote_address(message) else { return }
    connections[remote]?.waitTime = nil
  }

  /// Cuts off those who have not sent a request, or not taken its answer, in time.
  func endLateConnections(now: MediaInstant) {
    for (remote, connection) in connections {
      guard let time = connection.waitTime, now - time > limits.requestTimeout else { continue }
      connections[remote] = nil
      g_socket_close(connection.socket, nil)
    }
  }
}

/// Tells a listener that a connection is no more, and frees what it was known by.
private final class Ending: @unchecked Sendable {
  // @unchecked: the pointers are never changed, and GLib counts references on any thread.

  private weak let listener: HTTPListener?
  private let socket: UnsafeMutablePointer<GSocket>
  let remote: UnsafeMutablePointer<GSocketAddress>

  init(
    listener: HTTPListener, socket: UnsafeMutablePointer<GSocket>, remote: UnsafeMutablePointer<GSocketAddress>
  ) {
    self.listener = listener
    self.socket = socket
    self.remote = remote
  }

  func report() { listener?.ended(self) }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(socket))
    g_object_unref(UnsafeMutableRawPointer(remote))
  }
}

private let acceptConnections:
  @convention(c) (UnsafeMutablePointer<GSocket>?, GIOCondition, UnsafeMutableRawPointer?) -> gboolean = { _, _, data in
    guard let data else { return 0 }
    let listener = Unmanaged<HTTPListener>.fromOpaque(data).takeUnretainedValue()
    listener.accept()
    return 1
  }

private func connectionEnded(_ data: UnsafeMutableRawPointer?, _ stream: UnsafeMutablePointer<GObject>?) {
  guard let data else { return }
  Unmanaged<Ending>.fromOpaque(data).takeRetainedValue().report()
}
