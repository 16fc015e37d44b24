import COpenSSL

/// The server's side of one TLS connection over a socket that does not block. The handshake happens by reading and writing.
public final class TLSSession {
  /// What has become of reading or writing.
  public enum Outcome: Hashable, Sendable {
    /// So many bytes, at least one.
    case bytes(Int)
    /// Nothing until the socket can be read.
    case needsReading
    /// Nothing until the socket can be written.
    case needsWriting
    /// The other side has ended the connection.
    case ended
    /// The connection is of no use any more: the other side does not speak TLS, or the socket has failed.
    case failed
  }

  private let ssl: OpaquePointer
  private var isBroken = false

  init(_ ssl: OpaquePointer) { self.ssl = ssl }

  deinit { SSL_free(ssl) }

  /// Bytes that can be read without the socket.
  public var pendingByteCount: Int { Int(SSL_pending(ssl)) }

  /// Reads what there is, at most as much as fits.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    guard !isBroken else { return .failed }
    ERR_clear_error()
    var count = 0
    let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
    return outcome(result, count)
  }

  /// Writes as much as goes. After `needsReading` and `needsWriting` the same bytes have to be given again, with others
  /// behind them or not.
  public func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    guard !isBroken else { return .failed }
    ERR_clear_error()
    var count = 0
    let result = SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count)
    return outcome(result, count)
  }

  /// The socket is closed, and its number may be another's: it is not touched any more.
  public func abandon() { isBroken = true }

  /// Tells the other side that nothing follows; it is not waited for.
  public func close() {
    guard !isBroken, SSL_is_init_finished(ssl) == 1 else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
    ERR_clear_error()
  }

  private func outcome(_ result: Int32, _ count: Int) -> Outcome {
    guard result != 1 else { return .bytes(count) }
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ: return .needsReading
    case SSL_ERROR_WANT_WRITE: return .needsWriting
    case SSL_ERROR_ZERO_RETURN: return .ended
    default:
      isBroken = true
      ERR_clear_error()
      return .failed
    }
  }
}
