/// One key's cached GCM context, its salt, and the place where nonces are built. Made once; nothing is allocated or counted
/// for a packet.
struct GCMSession: ~Copyable {
  static let tagLength = 16

  private let context: UnsafeMutableRawPointer
  private let saltHigh: UInt64
  private let saltLow: UInt32
  /// 12 bytes of nonce, 12 of associated data for SRTCP.
  private let scratch: UnsafeMutablePointer<UInt8>
  private let run: CryptoProvider.RunGCM
  private let free: CryptoProvider.FreeContext

  init(keys: SRTPSessionKeys.Part, seals: Bool, crypto: CryptoProvider) throws(SRTPError) {
    guard keys.cipherKey.count == 16, keys.salt.count == 12, let context = crypto.makeGCM(keys.cipherKey, seals) else {
      throw .cryptoFailed
    }
    self.context = context
    run = seals ? crypto.sealGCM : crypto.openGCM
    free = crypto.freeGCM
    scratch = .allocate(capacity: 24)
    scratch.initialize(repeating: 0, count: 24)
    saltHigh = keys.salt[..<8].reduce(0) { $0 &<< 8 | UInt64($1) }
    saltLow = keys.salt[8...].reduce(0) { $0 &<< 8 | UInt32($1) }
  }

  deinit {
    free(context)
    scratch.update(repeating: 0, count: 24)
    scratch.deallocate()
  }

  /// RFC 7714 section 8.1: SSRC, rollover counter and sequence number; `index` is the 48-bit packet index.
  func runRTP(
    ssrc: UInt32, index: UInt64, packet: UnsafeMutableRawPointer, headerLength: Int, source: UnsafeRawPointer,
    length: Int
  ) -> Bool {
    setNonce(ssrc: ssrc, index: index)
    let bytes = packet.assumingMemoryBound(to: UInt8.self)
    let text = bytes + headerLength
    return run(
      context, scratch, bytes, headerLength, source.assumingMemoryBound(to: UInt8.self), length, text,
      text + length)
  }

  /// RFC 7714 section 9: the associated data are the first 8 bytes and the word of E bit and index.
  func runRTCP(ssrc: UInt32, index: UInt32, packet: UnsafeMutableRawPointer, length: Int) -> Bool {
    setNonce(ssrc: ssrc, index: UInt64(index))
    let header = PacketBounds.rtcpHeaderLength
    let associated = UnsafeMutableRawPointer(scratch + 12)
    associated.copyMemory(from: packet, byteCount: header)
    associated.storeBytes(of: (0x8000_0000 | index).bigEndian, toByteOffset: header, as: UInt32.self)
    let text = packet.assumingMemoryBound(to: UInt8.self) + header
    return run(
      context, scratch, scratch + 12, header + 4, text, length &- header, text, text + (length &- header))
  }

  /// Salt, exclusive or: two zero bytes, the SSRC, and 48 bits of index (RFC 7714 section 8.1).
  private func setNonce(ssrc: UInt32, index: UInt64) {
    let nonce = UnsafeMutableRawPointer(scratch)
    let high = UInt64(ssrc) &<< 16 | index &>> 32 & 0xFFFF
    nonce.storeBytes(of: (saltHigh ^ high).bigEndian, toByteOffset: 0, as: UInt64.self)
    nonce.storeBytes(of: (saltLow ^ UInt32(truncatingIfNeeded: index)).bigEndian, toByteOffset: 8, as: UInt32.self)
  }
}
