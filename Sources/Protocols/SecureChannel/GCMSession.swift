/// One key's cached GCM context, its salt, and the place where nonces are built. Made once; nothing is allocated for
/// a packet.
final class GCMSession {
  static let tagLength = 16

  private let crypto: CryptoProvider
  private let context: UnsafeMutableRawPointer
  /// 12 bytes of salt, 12 of nonce, 12 of associated data for SRTCP.
  private let scratch: UnsafeMutablePointer<UInt8>
  private let run: CryptoProvider.RunGCM

  init(key: [UInt8], salt: [UInt8], seals: Bool, crypto: CryptoProvider) throws(SRTPError) {
    guard key.count == 16, salt.count == 12, let context = crypto.makeGCM(key, seals) else { throw .cryptoFailed }
    self.crypto = crypto
    self.context = context
    run = seals ? crypto.sealGCM : crypto.openGCM
    scratch = .allocate(capacity: 36)
    scratch.initialize(repeating: 0, count: 36)
    for position in 0..<12 { scratch[position] = salt[position] }
  }

  deinit {
    crypto.freeGCM(context)
    scratch.update(repeating: 0, count: 36)
    scratch.deallocate()
  }

  /// RFC 7714 section 8.1: SSRC, rollover counter and sequence number; `index` is the 48-bit packet index.
  func runRTP(
    ssrc: UInt32, index: UInt64, header: UnsafeRawPointer, headerLength: Int, source: UnsafeRawPointer, length: Int,
    destination: UnsafeMutableRawPointer, tag: UnsafeMutableRawPointer
  ) -> Bool {
    setNonce(ssrc: ssrc, index: index)
    return run(
      context, scratch + 12, header.assumingMemoryBound(to: UInt8.self), headerLength,
      source.assumingMemoryBound(to: UInt8.self), length, destination.assumingMemoryBound(to: UInt8.self),
      tag.assumingMemoryBound(to: UInt8.self))
  }

  /// RFC 7714 section 9: the associated data are the first 8 bytes and the word of E bit and index.
  func runRTCP(
    ssrc: UInt32, index: UInt32, header: UnsafeRawPointer, text: UnsafeMutableRawPointer, length: Int,
    tag: UnsafeMutableRawPointer
  ) -> Bool {
    setNonce(ssrc: ssrc, index: UInt64(index))
    let associated = UnsafeMutableRawPointer(scratch + 24)
    associated.copyMemory(from: header, byteCount: 8)
    associated.storeBytes(of: (0x8000_0000 | index).bigEndian, toByteOffset: 8, as: UInt32.self)
    return run(
      context, scratch + 12, scratch + 24, 12, text.assumingMemoryBound(to: UInt8.self), length,
      text.assumingMemoryBound(to: UInt8.self), tag.assumingMemoryBound(to: UInt8.self))
  }

  private func setNonce(ssrc: UInt32, index: UInt64) {
    let nonce = scratch + 12
    nonce[0] = scratch[0]
    nonce[1] = scratch[1]
    for position in 0..<4 {
      nonce[2 &+ position] = scratch[2 &+ position] ^ UInt8(truncatingIfNeeded: ssrc >> UInt32(24 &- 8 &* position))
    }
    for position in 0..<6 {
      nonce[6 &+ position] = scratch[6 &+ position] ^ UInt8(truncatingIfNeeded: index >> UInt64(40 &- 8 &* position))
    }
  }
}
