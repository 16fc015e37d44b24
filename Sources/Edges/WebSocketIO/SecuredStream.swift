import CSoup
import OpenSSLTLS

/// TLS between a socket and the streams that libsoup reads and writes.
///
/// GLib's own TLS does handshakes on a few threads of its own, which ten clients that begin one and say nothing more keep
/// from everybody else. Here nobody waits.
final class SecuredStream {
  private let session: TLSSession
  private let socket: UnsafeMutablePointer<GSocket>
  private let input: UnsafeMutablePointer<GInputStream>
  private let output: UnsafeMutablePointer<GOutputStream>
  /// Whether reading waits for the socket to be writable, or writing for it to be readable, as in a handshake.
  private var readingNeedsWriting = false
  private var writingNeedsReading = false

  /// - Parameters:
  ///   - input: reads from the socket; used to wait only.
  ///   - output: writes to the socket; used to wait only.
  init(
    _ session: TLSSession, socket: UnsafeMutablePointer<GSocket>, input: UnsafeMutablePointer<GInputStream>,
    output: UnsafeMutablePointer<GOutputStream>
  ) {
    self.session = session
    self.socket = socket
    g_object_ref(UnsafeMutableRawPointer(socket))
    self.input = input
    self.output = output
    g_object_ref(UnsafeMutableRawPointer(input))
    g_object_ref(UnsafeMutableRawPointer(output))
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(socket))
    g_object_unref(UnsafeMutableRawPointer(input))
    g_object_unref(UnsafeMutableRawPointer(output))
  }

  var isReadable: Bool {
    if session.pendingByteCount > 0 { return true }
    return readingNeedsWriting
      ? g_pollable_output_stream_is_writable(OpaquePointer(output)) != 0
      : g_pollable_input_stream_is_readable(OpaquePointer(input)) != 0
  }

  var isWritable: Bool {
    writingNeedsReading
      ? g_pollable_input_stream_is_readable(OpaquePointer(input)) != 0
      : g_pollable_output_stream_is_writable(OpaquePointer(output)) != 0
  }

  func read(
    into buffer: UnsafeMutableRawPointer?, _ count: gsize, _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
  ) -> gssize {
    abandonClosed()
    let outcome = session.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
    readingNeedsWriting = outcome == .needsWriting
    return Self.result(outcome, error)
  }

  func write(
    _ buffer: UnsafeRawPointer?, _ count: gsize, _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
  ) -> gssize {
    guard count > 0 else { return 0 }
    abandonClosed()
    let outcome = session.write(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    writingNeedsReading = outcome == .needsReading
    return Self.result(outcome == .ended ? .failed : outcome, error)
  }

  func close() {
    abandonClosed()
    session.close()
  }

  /// A socket may be closed by whoever cuts the connection off; the session knows its number only.
  private func abandonClosed() { if g_socket_is_closed(socket) != 0 { session.abandon() } }

  private static func result(
    _ outcome: TLSSession.Outcome, _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
  ) -> gssize {
    switch outcome {
    case .bytes(let count): return gssize(count)
    case .ended: return 0
    case .needsReading, .needsWriting:
      g_set_error_literal(error, g_io_error_quark(), Int32(G_IO_ERROR_WOULD_BLOCK.rawValue), "not now")
      return -1
    case .failed:
      g_set_error_literal(error, g_io_error_quark(), Int32(G_IO_ERROR_CONNECTION_CLOSED.rawValue), "TLS has failed")
      return -1
    }
  }

  /// Becomes ready when there may be something to read.
  func makeReadSource() -> UnsafeMutablePointer<GSource>? {
    if session.pendingByteCount > 0 { return g_timeout_source_new(0) }
    return readingNeedsWriting
      ? g_pollable_output_stream_create_source(OpaquePointer(output), nil)
      : g_pollable_input_stream_create_source(OpaquePointer(input), nil)
  }

  /// Becomes ready when something may be written.
  func makeWriteSource() -> UnsafeMutablePointer<GSource>? {
    writingNeedsReading
      ? g_pollable_input_stream_create_source(OpaquePointer(input), nil)
      : g_pollable_output_stream_create_source(OpaquePointer(output), nil)
  }
}
