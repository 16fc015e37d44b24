public import MediaBase

/// One side of a DTLS 1.2 association over datagrams (RFC 6347), for the keys of SRTP (RFC 5764). Owned by one thread. Not
/// for the packet path: a handshake has some ten datagrams.
public protocol DTLSEndpoint: AnyObject {
  /// Where it stands.
  var state: DTLSState { get }
  /// Takes a datagram whose first byte is 20...63.
  func receive(_ datagram: UnsafeRawBufferPointer, now: MediaInstant)
  /// The next datagram to send; `nil` if there is none.
  func pollTransmit() -> [UInt8]?
  /// Ends an established association: the other side's notice is the next datagram to send.
  func close()
  /// Sends again what was not answered, if it is time.
  func handleTimeout(now: MediaInstant)
  /// When `handleTimeout(now:)` wants to be called; `nil` if nothing is waited for.
  var nextTimeout: MediaInstant? { get }
}

/// Makes endpoints that show one certificate.
public protocol DTLSProvider: Sendable {
  /// SHA-256 of the certificate, for the other side.
  var fingerprint: [UInt8] { get }
  /// Makes an endpoint that accepts only a certificate with this SHA-256 fingerprint; a client's first datagram is ready
  /// at once. `nil` if the library cannot.
  func makeEndpoint(isClient: Bool, remoteFingerprint: [UInt8], now: MediaInstant) -> (any DTLSEndpoint)?
}
