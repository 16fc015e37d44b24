/// Authenticates and decrypts incoming RTP and RTCP of AEAD_AES_128_GCM (RFC 7714), and refuses replays.
///
/// An SSRC gets its rollover counter and replay window with its first packet that authenticates: forged packets leave
/// no trace.
public struct SRTPReceiver: ~Copyable {
  private let rtp: GCMSession
  private let rtcp: GCMSession
  private var streams: StreamTable
  private var rtcpStreams: StreamTable

  /// Derives the session keys from `material`. `maximumStreams` bounds the SSRCs of RTP and, apart, those of RTCP.
  /// Throws `cryptoFailed`.
  public init(material: SRTPKeyMaterial, crypto: CryptoProvider, maximumStreams: Int = 1024) throws(SRTPError) {
    let keys = try SRTPSessionKeys(deriving: material, crypto: crypto)
    let rtp = try GCMSession(key: keys.rtpKey, salt: keys.rtpSalt, seals: false, crypto: crypto)
    let rtcp = try GCMSession(key: keys.rtcpKey, salt: keys.rtcpSalt, seals: false, crypto: crypto)
    self.rtp = rtp
    self.rtcp = rtcp
    streams = StreamTable(capacity: maximumStreams)
    rtcpStreams = StreamTable(capacity: maximumStreams)
  }

  init(sessionKeys: SRTPSessionKeys, crypto: CryptoProvider, maximumStreams: Int = 1024) throws(SRTPError) {
    let rtp = try GCMSession(key: sessionKeys.rtpKey, salt: sessionKeys.rtpSalt, seals: false, crypto: crypto)
    let rtcp = try GCMSession(key: sessionKeys.rtcpKey, salt: sessionKeys.rtcpSalt, seals: false, crypto: crypto)
    self.rtp = rtp
    self.rtcp = rtcp
    streams = StreamTable(capacity: maximumStreams)
    rtcpStreams = StreamTable(capacity: maximumStreams)
  }

  /// How many SSRCs have sent RTP that authenticated.
  public var streamCount: Int { streams.count }

  /// Frees the place of `ssrc`, whose stream has ended. Its old packets would be let in again, so the layer above must
  /// not take packets of it any more.
  public mutating func forget(ssrc: UInt32) {
    streams.remove(ssrc)
    rtcpStreams.remove(ssrc)
  }

  /// Opens the SRTP packet in the first `length` bytes of `buffer` in place; returns the length of the RTP packet.
  ///
  /// When it throws, the bytes behind the header are of no use. Throws `malformed`, `replayed`, `tooManyStreams`,
  /// `keyExhausted` or `authenticationFailed`.
  public mutating func unprotectRTP(_ buffer: UnsafeMutableRawBufferPointer, length: Int) throws(SRTPError) -> Int {
    let packet = UnsafeRawBufferPointer(buffer)
    let header = try PacketBounds.rtpHeaderLength(packet, length: length)
    let textLength = length &- header &- GCMSession.tagLength
    guard textLength >= 0, let base = buffer.baseAddress else { throw .malformed }
    let ssrc = PacketBounds.word(packet, at: 8)
    let position = streams.find(ssrc)
    guard
      let index = StreamTable.estimateIndex(
        sequenceNumber: PacketBounds.halfWord(packet, at: 2), highest: streams.highestIndex(at: position))
    else { throw .replayed }
    guard index >> 48 == 0 else { throw .keyExhausted }
    try streams.check(index, at: position, otherwise: .replayed)
    let text = base + header
    let opened = rtp.runRTP(
      ssrc: ssrc, index: index, header: UnsafeRawPointer(base), headerLength: header, source: UnsafeRawPointer(text),
      length: textLength, destination: text, tag: text + textLength)
    guard opened else { throw .authenticationFailed }
    streams.record(index, ssrc: ssrc, at: position)
    return header &+ textLength
  }

  /// Opens the SRTCP packet in the first `length` bytes of `buffer` in place; returns the length of the RTCP compound.
  ///
  /// When it throws, the bytes behind the header are of no use. Throws `malformed`, `unencrypted`, `replayed`,
  /// `tooManyStreams` or `authenticationFailed`.
  public mutating func unprotectRTCP(_ buffer: UnsafeMutableRawBufferPointer, length: Int) throws(SRTPError) -> Int {
    let packet = UnsafeRawBufferPointer(buffer)
    try PacketBounds.checkRTCP(packet, length: length, trailer: SRTPSender.rtcpOverhead)
    guard let base = buffer.baseAddress else { throw .malformed }
    let trailer = PacketBounds.word(packet, at: length &- 4)
    guard trailer >> 31 == 1 else { throw .unencrypted }
    let index = trailer & 0x7fff_ffff
    let ssrc = PacketBounds.word(packet, at: 4)
    let position = rtcpStreams.find(ssrc)
    try rtcpStreams.check(UInt64(index), at: position, otherwise: .replayed)
    let plainLength = length &- SRTPSender.rtcpOverhead
    let header = PacketBounds.rtcpHeaderLength
    let opened = rtcp.runRTCP(
      ssrc: ssrc, index: index, header: UnsafeRawPointer(base), text: base + header, length: plainLength &- header,
      tag: base + plainLength)
    guard opened else { throw .authenticationFailed }
    rtcpStreams.record(UInt64(index), ssrc: ssrc, at: position)
    return plainLength
  }
}
