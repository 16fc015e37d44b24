/// Protects outgoing RTP and RTCP with AEAD_AES_128_GCM (RFC 7714) or AES128_CM_HMAC_SHA1_80 (RFC 3711).
///
/// It keeps a rollover counter for each SSRC and never seals one index twice. A key must have one sender only.
public struct SRTPSender: ~Copyable {
  /// The most that protection by any profile adds to an RTP packet.
  public static let maximumRTPOverhead = SRTPProtectionProfile.aeadAES128GCM.rtpOverhead
  /// The most that protection by any profile adds to an RTCP packet.
  public static let maximumRTCPOverhead = SRTPProtectionProfile.aeadAES128GCM.rtcpOverhead

  /// Bytes that protection adds to an RTP packet.
  public let rtpOverhead: Int
  /// Bytes that protection adds to an RTCP packet: the tag, and the word of E bit and index.
  public let rtcpOverhead: Int

  let rtp: SRTPSession
  private let rtcp: SRTPSession
  /// Where the word of E bit and index stands behind the compound.
  private let rtcpIndexOffset: Int
  var streams: StreamTable
  private var nextRTCPIndex: UInt32

  /// Derives the session keys from `material`. `maximumStreams` bounds the SSRCs. Throws `cryptoFailed`.
  public init(material: SRTPKeyMaterial, crypto: CryptoProvider, maximumStreams: Int = 1024) throws(SRTPError) {
    try self.init(
      sessionKeys: SRTPSessionKeys(deriving: material, crypto: crypto), crypto: crypto, maximumStreams: maximumStreams)
  }

  init(
    sessionKeys: SRTPSessionKeys, crypto: CryptoProvider, maximumStreams: Int = 1024, nextRTCPIndex: UInt32 = 0
  ) throws(SRTPError) {
    let profile = sessionKeys.profile
    let rtp = try SRTPSession(profile: profile, keys: sessionKeys.rtp, seals: true, crypto: crypto)
    let rtcp = try SRTPSession(profile: profile, keys: sessionKeys.rtcp, seals: true, crypto: crypto)
    self.rtp = rtp
    self.rtcp = rtcp
    rtpOverhead = profile.rtpOverhead
    rtcpOverhead = profile.rtcpOverhead
    rtcpIndexOffset = profile.rtcpIndexOffset
    streams = StreamTable(capacity: maximumStreams)
    self.nextRTCPIndex = nextRTCPIndex
  }

  /// Frees the place of `ssrc`. The caller promises never to send with it again under this key: that would repeat
  /// nonces, and gives the key away (RFC 7714 section 8.4).
  public mutating func forget(ssrc: UInt32) { streams.remove(ssrc) }

  /// Seals the RTP packet in the first `length` bytes of `buffer` in place; returns the new length, `rtpOverhead` more.
  /// Throws `malformed`, `noRoom`, `sequenceNumberReused`, `tooManyStreams`, `keyExhausted` or `cryptoFailed`.
  public mutating func protectRTP(_ buffer: UnsafeMutableRawBufferPointer, length: Int) throws(SRTPError) -> Int {
    let header = try PacketBounds.rtpHeaderLength(UnsafeRawBufferPointer(buffer), length: length)
    let payload = UnsafeRawBufferPointer(rebasing: buffer[header..<length])
    return try protectRTP(headerIn: buffer, headerLength: header, payload: payload)
  }

  /// Seals `payload` into `buffer` behind a header that already stands there: the way of a forwarder, which writes a
  /// header for each receiver and needs no copy of the payload. Returns the length of the packet.
  ///
  /// `headerLength` must be what the header itself says. `payload` is the place behind the header or does not overlap
  /// `buffer`. Throws as `protectRTP(_:length:)`.
  public mutating func protectRTP(
    headerIn buffer: UnsafeMutableRawBufferPointer, headerLength: Int, payload: UnsafeRawBufferPointer
  ) throws(SRTPError) -> Int {
    let packet = UnsafeRawBufferPointer(buffer)
    guard try PacketBounds.rtpHeaderLength(packet, length: headerLength) == headerLength else { throw .malformed }
    guard buffer.count &- headerLength >= payload.count &+ rtpOverhead, let base = buffer.baseAddress else {
      throw .noRoom
    }
    let ssrc = PacketBounds.word(packet, at: 8)
    let position = streams.find(ssrc)
    let index = try streams.freshIndex(
      sequenceNumber: PacketBounds.halfWord(packet, at: 2), at: position, otherwise: .sequenceNumberReused)
    // Recorded first: if sealing fails half-way, the nonce counts as used.
    streams.record(index, ssrc: ssrc, at: position)
    let sealed = rtp.runRTP(
      ssrc: ssrc, index: index, packet: base, headerLength: headerLength,
      source: payload.baseAddress ?? UnsafeRawPointer(base + headerLength), length: payload.count)
    guard sealed else { throw .cryptoFailed }
    return headerLength &+ payload.count &+ rtpOverhead
  }

  /// Seals the RTCP compound in the first `length` bytes of `buffer` in place; returns the new length,
  /// `rtcpOverhead` more.
  /// Throws `malformed`, `noRoom`, `keyExhausted` (after 2^31 packets) or `cryptoFailed`.
  public mutating func protectRTCP(_ buffer: UnsafeMutableRawBufferPointer, length: Int) throws(SRTPError) -> Int {
    let packet = UnsafeRawBufferPointer(buffer)
    try PacketBounds.checkRTCP(packet, length: length, trailer: 0)
    guard buffer.count &- length >= rtcpOverhead, let base = buffer.baseAddress else { throw .noRoom }
    let index = nextRTCPIndex
    guard index >> 31 == 0 else { throw .keyExhausted }
    nextRTCPIndex = index &+ 1
    buffer.storeBytes(
      of: (0x8000_0000 | index).bigEndian, toByteOffset: length &+ rtcpIndexOffset, as: UInt32.self)
    let ssrc = PacketBounds.word(packet, at: 4)
    guard rtcp.runRTCP(ssrc: ssrc, index: index, packet: base, length: length) else { throw .cryptoFailed }
    return length &+ rtcpOverhead
  }
}
