/// Protects outgoing RTP and RTCP with AEAD_AES_128_GCM (RFC 7714).
///
/// It keeps a rollover counter for each SSRC and never seals one index twice. A key must have one sender only.
public struct SRTPSender: ~Copyable {
  /// Bytes that protection adds to an RTP packet.
  public static let rtpOverhead = 16
  /// Bytes that protection adds to an RTCP packet: the tag, then the E bit and index.
  public static let rtcpOverhead = 20

  private let rtp: GCMSession
  private let rtcp: GCMSession
  private var streams: StreamTable
  private var nextRTCPIndex: UInt32

  /// Derives the session keys from `material`. `maximumStreams` bounds the SSRCs. Throws `cryptoFailed`.
  public init(material: SRTPKeyMaterial, crypto: CryptoProvider, maximumStreams: Int = 1024) throws(SRTPError) {
    let keys = try SRTPSessionKeys(deriving: material, crypto: crypto)
    let rtp = try GCMSession(key: keys.rtpKey, salt: keys.rtpSalt, seals: true, crypto: crypto)
    let rtcp = try GCMSession(key: keys.rtcpKey, salt: keys.rtcpSalt, seals: true, crypto: crypto)
    self.rtp = rtp
    self.rtcp = rtcp
    streams = StreamTable(capacity: maximumStreams)
    nextRTCPIndex = 0
  }

  init(
    sessionKeys: SRTPSessionKeys, crypto: CryptoProvider, maximumStreams: Int = 1024, nextRTCPIndex: UInt32 = 0
  ) throws(SRTPError) {
    let rtp = try GCMSession(key: sessionKeys.rtpKey, salt: sessionKeys.rtpSalt, seals: true, crypto: crypto)
    let rtcp = try GCMSession(key: sessionKeys.rtcpKey, salt: sessionKeys.rtcpSalt, seals: true, crypto: crypto)
    self.rtp = rtp
    self.rtcp = rtcp
    streams = StreamTable(capacity: maximumStreams)
    self.nextRTCPIndex = nextRTCPIndex
  }

  /// Frees the place of `ssrc`. The caller promises never to send with it again under this key: that would repeat
  /// nonces, and gives the key away (RFC 7714 section 8.4).
  public mutating func forget(ssrc: UInt32) { streams.remove(ssrc) }

  /// Seals the RTP packet in the first `length` bytes of `buffer` in place; returns the new length, 16 bytes more.
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
    guard buffer.count &- headerLength >= payload.count &+ Self.rtpOverhead, let base = buffer.baseAddress else {
      throw .noRoom
    }
    let ssrc = PacketBounds.word(packet, at: 8)
    let position = streams.find(ssrc)
    guard
      let index = StreamTable.estimateIndex(
        sequenceNumber: PacketBounds.halfWord(packet, at: 2), highest: streams.highestIndex(at: position))
    else { throw .sequenceNumberReused }
    guard index >> 48 == 0 else { throw .keyExhausted }
    try streams.check(index, at: position, otherwise: .sequenceNumberReused)
    // Recorded first: if sealing fails half-way, the nonce counts as used.
    streams.record(index, ssrc: ssrc, at: position)
    let text = base + headerLength
    let sealed = rtp.runRTP(
      ssrc: ssrc, index: index, header: UnsafeRawPointer(base), headerLength: headerLength,
      source: payload.baseAddress ?? UnsafeRawPointer(text), length: payload.count, destination: text,
      tag: text + payload.count)
    guard sealed else { throw .cryptoFailed }
    return headerLength &+ payload.count &+ Self.rtpOverhead
  }

  /// Seals the RTCP compound in the first `length` bytes of `buffer` in place; returns the new length, 20 bytes more.
  /// Throws `malformed`, `noRoom`, `keyExhausted` (after 2^31 packets) or `cryptoFailed`.
  public mutating func protectRTCP(_ buffer: UnsafeMutableRawBufferPointer, length: Int) throws(SRTPError) -> Int {
    let packet = UnsafeRawBufferPointer(buffer)
    try PacketBounds.checkRTCP(packet, length: length, trailer: 0)
    guard buffer.count &- length >= Self.rtcpOverhead, let base = buffer.baseAddress else { throw .noRoom }
    let index = nextRTCPIndex
    guard index >> 31 == 0 else { throw .keyExhausted }
    nextRTCPIndex = index &+ 1
    let header = PacketBounds.rtcpHeaderLength
    let sealed = rtcp.runRTCP(
      ssrc: PacketBounds.word(packet, at: 4), index: index, header: UnsafeRawPointer(base), text: base + header,
      length: length &- header, tag: base + length)
    guard sealed else { throw .cryptoFailed }
    let trailer = (0x8000_0000 | index).bigEndian
    buffer.storeBytes(of: trailer, toByteOffset: length &+ GCMSession.tagLength, as: UInt32.self)
    return length &+ Self.rtcpOverhead
  }
}
