public import ICEAgent
public import MediaBase
import RTPWire
public import SecureChannel

/// Everything between one peer's sockets and its RTP: the path by ICE, protection by SRTP, told apart by the first byte
/// (RFC 7983).
///
/// SRTP is taken from whatever address it comes from, since its own authentication is stronger than an address; the address
/// to send to changes only by ICE.
public struct PeerTransport: ~Copyable, SansIOStateMachine {
  private var ice: ICEAgent
  private var sender: SRTPSender?
  private var receiver: SRTPReceiver?
  private var latestTime: MediaInstant

  /// Makes a transport; a controlling one has its first check ready in `pollTransmit(into:)`.
  public init(configuration: PeerTransportConfiguration, crypto: CryptoProvider, now: MediaInstant) {
    let authenticate = crypto.authenticateSHA1
    ice = ICEAgent(
      configuration: configuration.ice,
      hmacSHA1: { key, message, digest in Self.hmacSHA1(authenticate, key, message, digest) }, now: now)
    sender = try? SRTPSender(material: configuration.outgoingKey, crypto: crypto)
    receiver = try? SRTPReceiver(material: configuration.incomingKey, crypto: crypto)
    latestTime = now
  }

  /// Where datagrams go; `nil` while there is no path.
  public var selectedRemoteAddress: TransportAddress? { ice.selectedRemoteAddress }

  /// Takes a datagram, whose bytes may be overwritten: those of RTP and RTCP are decrypted in place.
  public mutating func receive(
    _ datagram: UnsafeMutableRawBufferPointer, from source: TransportAddress, now: MediaInstant
  ) -> ReceivedDatagram {
    latestTime = now
    let bytes = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(datagram))
    switch DatagramKind.classify(bytes) {
    case .stun:
      return ice.receive(bytes, from: source, now: now) == .accepted ? .consumed : .dropped(.stun)
    case .rtp:
      guard let length = unprotectRTP(datagram) else { return .dropped(.srtp) }
      return .rtp(length)
    case .rtcp:
      guard let length = unprotectRTCP(datagram) else { return .dropped(.srtp) }
      return .rtcp(length)
    case .dtls, .unknown: return .dropped(.unknownKind)
    }
  }

  /// Appends the next STUN message to `output`; where it goes, or `nil` if there is none.
  @_lifetime(output: copy output)
  public mutating func pollTransmit(into output: inout OutputRawSpan) -> TransportAddress? {
    ice.pollTransmit(into: &output, now: latestTime)
  }

  /// Protects an RTP packet in place; the new length, at most `SRTPSender.maximumRTPOverhead` more, or `nil` without room
  /// for them (or if this sequence number was sent before).
  public mutating func protectRTP(_ buffer: UnsafeMutableRawBufferPointer, length: Int) -> Int? {
    guard sender != nil else { return nil }
    return try? sender?.protectRTP(buffer, length: length)
  }

  /// Protects an RTCP compound in place; the new length, at most `SRTPSender.maximumRTCPOverhead` more, or `nil` without
  /// room for them.
  public mutating func protectRTCP(_ buffer: UnsafeMutableRawBufferPointer, length: Int) -> Int? {
    guard sender != nil else { return nil }
    return try? sender?.protectRTCP(buffer, length: length)
  }

  /// Frees what is kept for a stream that the other side does not send any more.
  public mutating func forgetIncoming(ssrc: UInt32) { receiver?.forget(ssrc: ssrc) }

  /// Does what has become due.
  public mutating func handleTimeout(now: MediaInstant) {
    latestTime = now
    ice.handleTimeout(now: now)
  }

  /// Makes a check of the path due at once, so that the peer learns soon where this side is now.
  public mutating func checkNow(now: MediaInstant) {
    latestTime = now
    ice.checkNow(now: now)
  }

  /// The next event.
  public mutating func pollEvent() -> PeerTransportEvent? { ice.pollEvent() }

  /// When `handleTimeout(now:)` wants to be called.
  public var nextTimeout: MediaInstant? { ice.nextTimeout }

  private mutating func unprotectRTP(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    try? receiver?.unprotectRTP(buffer, length: buffer.count)
  }

  private mutating func unprotectRTCP(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    try? receiver?.unprotectRTCP(buffer, length: buffer.count)
  }

  /// Bridges the provider's C function to what STUN takes.
  private static func hmacSHA1(
    _ authenticate: CryptoProvider.AuthenticateSHA1, _ key: UnsafeRawBufferPointer,
    _ message: UnsafeRawBufferPointer, _ digest: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let keyBase = key.bindMemory(to: UInt8.self).baseAddress,
      let messageBase = message.bindMemory(to: UInt8.self).baseAddress, digest.count >= 20,
      let result = digest.bindMemory(to: UInt8.self).baseAddress
    else { return false }
    return authenticate(keyBase, key.count, messageBase, message.count, result)
  }
}
