/// Authenticates and decrypts incoming RTP and RTCP of AEAD_AES_128_GCM (RFC 7714) or AES128_CM_HMAC_SHA1_80 (RFC 3711),
/// and refuses replays.
///
/// An SSRC gets its rollover counter and replay window with its first packet that authenticates: forged packets leave
/// no trace.
public struct SRTPReceiver: ~Copyable {
  private let rtp: SRTPSession
  private let rtcp: SRTPSession
  private let rtpOverhead: Int
  private let rtcpOverhead: Int
  /// Where the word of E bit and index stands behind the compound.
  private let rtcpIndexOffset: Int
  private var streams: StreamTable
  private var rtcpStreams: StreamTable

  /// Derives the session keys from `material`. `maximumStreams` bounds the SSRCs of RTP and, apart, those of RTCP.
  /// Throws `cryptoFailed`.
  public init(material: SRTPKeyMaterial, crypto: CryptoProvider, maximumStreams: Int = 1024) throws(SRTPError) {
    try self.init(
      sessionKeys: SRTPSessionKeys(deriving: material, crypto: crypto), crypto: crypto, maximumStreams: maximumStreams)
  }

  init(sessionKeys: SRTPSessionKeys, crypto: CryptoProvider, maximumStreams: Int = 1024) throws(SRTPError) {
    let profile = sessionKeys.profile
    let rtp = try SRTPSession(profile: profile, keys: sessionKeys.rtp, seals: false, crypto: crypto)
    let rtcp = try SRTPSession(profile: profile, keys: sessionKeys.rtcp, seals: false, crypto: crypto)
    self.rtp = rtp
    self.rtcp = rtcp
    rtpOverhead = profile.rtpOverhead
    rtcpOverhead = profile.rtcpOverhead
    rtcpIndexOffset = profile.rtcpIndexOffset
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
    let textLength = length &- header &- rtpOverhead
    guard textLength >= 0, let base = buffer.baseAddress else { throw .malformed }
    let ssrc = PacketBounds.word(packet, at: 8)
    let position = streams.find(ssrc)
    let index = try streams.freshIndex(
      sequenceNumber: PacketBounds.halfWord(packet, at: 2), at: position, otherwise: .replayed)
    let opened = rtp.runRTP(
      ssrc: ssrc, index: index, packet: base, headerLength: header, source: UnsafeRawPointer(base + header),
      length: textLength)
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
    try PacketBounds.checkRTCP(packet, length: length, trailer: rtcpOverhead)
    guard let base = buffer.baseAddress else { throw .malformed }
    let plainLength = length &- rtcpOverhead
    let trailer = PacketBounds.word(packet, at: plainLength &+ rtcpIndexOffset)
    guard trailer >> 31 == 1 else { throw .unencrypted }
    let index = trailer & 0x7fff_ffff
    let ssrc = PacketBounds.word(packet, at: 4)
    let position = rtcpStreams.find(ssrc)
    try rtcpStreams.check(UInt64(index), at: position, otherwise: .replayed)
    guard rtcp.runRTCP(ssrc: ssrc, index: index, packet: base, length: plainLength) else {
      throw .authenticationFailed
    }
    rtcpStreams.record(UInt64(index), ssrc: ssrc, at: position)
    return plainLength
  }
}
