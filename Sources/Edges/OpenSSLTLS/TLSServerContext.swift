import COpenSSL

/// A server's certificate and how it speaks TLS 1.2 and 1.3, by OpenSSL 3. Sessions may be made and used on any thread,
/// each on one at a time.
public final class TLSServerContext: @unchecked Sendable {
  // @unchecked: the context is set up once and then only read; OpenSSL counts references to it itself.

  private let context: OpaquePointer

  /// Values of macros that Swift does not see.
  private enum Control {
    static let mode: Int32 = 33
    static let minimumVersion: Int32 = 123
    static let tls12 = 0x0303
    static let noRenegotiation: UInt64 = 1 << 30
    static let cipherServerPreference: UInt64 = 1 << 22
    /// SSL_MODE_ENABLE_PARTIAL_WRITE, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, SSL_MODE_RELEASE_BUFFERS.
    static let modes = 1 | 2 | 16
  }

  /// Reads the certificate, with those that sign it behind it, and its key.
  public init(_ files: TLSFiles) throws(TLSFilesError) {
    ERR_clear_error()
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw TLSFilesError(file: files.certificate) }
    self.context = context
    guard SSL_CTX_ctrl(context, Control.minimumVersion, Control.tls12, nil) == 1,
      SSL_CTX_use_certificate_chain_file(context, files.certificate) == 1
    else { throw TLSFilesError(file: files.certificate) }
    guard SSL_CTX_use_PrivateKey_file(context, files.privateKey, SSL_FILETYPE_PEM) == 1,
      SSL_CTX_check_private_key(context) == 1
    else { throw TLSFilesError(file: files.privateKey) }
    SSL_CTX_set_options(context, Control.noRenegotiation | Control.cipherServerPreference)
    SSL_CTX_ctrl(context, Control.mode, Control.modes, nil)
  }

  deinit { SSL_CTX_free(context) }

  /// The server's side of a connection that has been accepted; nil without memory.
  ///
  /// - Parameter fileDescriptor: a socket that does not block, and that stays open for as long as the session.
  public func makeSession(fileDescriptor: Int32) -> TLSSession? {
    guard let ssl = SSL_new(context) else { return nil }
    guard SSL_set_fd(ssl, fileDescriptor) == 1 else {
      SSL_free(ssl)
      return nil
    }
    SSL_set_accept_state(ssl)
    return TLSSession(ssl)
  }
}
