public import MediaBase

/// One side of a DTLS 1.2 association over datagrams (RFC 6347), for the keys of SRTP (RFC 5764). Owned by one thread. Not
/// for the packet path: a handshake has some ten datagrams.
public protocol DTLSEndpoint: AnyObject {
  /// Where it stands.
  var state: DTLSState { get }
  /// Takes a datagram whose first byte is 20...63.
  ///
  /// - Parameter unproved: where it came from, if nothing has proved yet that its sender is there. A server then answers a
  ///   first message with a cookie only, which the client repeats (RFC 6347 section 4.2.1).
  func receive(_ datagram: UnsafeRawBufferPointer, from unproved: TransportAddress?, now: MediaInstant)
  /// From where a client has repeated the cookie that was sent there; `nil` if none has.
  var provedAddress: TransportAddress? { get }
  /// The next datagram to send; `nil` if there is none.
  func pollTransmit() -> [UInt8]?
  /// Ends an established association: the other side's notice is the next datagram to send.
  func close()
  /// Sends again what was not answered, if it is time.
  func handleTimeout(now: MediaInstant)
  /// When `handleTimeout(now:)` wants to be called; `nil` if nothing is waited for.
  var nextTimeout: MediaInstant? { get }
}

extension DTLSEndpoint {
  /// Takes a datagram from an address that needs no proof.
  public func receive(_ datagram: UnsafeRawBufferPointer, now: MediaInstant) {
    receive(datagram, from: nil, now: now)
  }
}

/// Makes endpoints that show one certificate.
public protocol DTLSProvider: Sendable {
  /// SHA-256 of the certificate, for the other side.
  var fingerprint: [UInt8] { get }
  /// Makes an endpoint that accepts only a certificate with this SHA-256 fingerprint; a client's first datagram is ready
  /// at once. `nil` if the library cannot.
  func makeEndpoint(isClient: Bool, remoteFingerprint: [UInt8], now: MediaInstant) -> (any DTLSEndpoint)?
}
