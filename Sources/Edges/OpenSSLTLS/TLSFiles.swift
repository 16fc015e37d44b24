/// Where a server's certificate and its private key are, in PEM.
public struct TLSFiles: Hashable, Sendable {
  /// The certificate, and behind it those that sign it up to one that clients know.
  public var certificate: String
  /// The private key; may be the same file.
  public var privateKey: String

  /// Names the files.
  public init(certificate: String, privateKey: String) {
    self.certificate = certificate
    self.privateKey = privateKey
  }
}
