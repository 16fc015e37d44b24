/// One key's cached contexts for AES-CM and HMAC-SHA1 (RFC 3711 sections 4.1.1 and 4.2.1), and the places where counter
/// blocks and digests are built. Made once; nothing is allocated or counted for a packet.
struct CounterModeSession: ~Copyable {
  static let tagLength = 10
  /// Counter blocks number themselves in 16 bits; more would repeat the keystream of the next index.
  private static let maximumLength = 16 << 16

  private let cipher: UnsafeMutableRawPointer
  private let authenticator: UnsafeMutableRawPointer
  private let seals: Bool
  private let saltHigh: UInt64
  /// Ends with two zeros, the place of the block number.
  private let saltLow: UInt64
  /// 16 bytes of counter block.
  private let counter: UnsafeMutableRawPointer
  /// 20 bytes of HMAC-SHA1, of which the tag is the first 10.
  private let digest: UnsafeMutableRawPointer
  private let run: CryptoProvider.RunCounterMode
  private let authenticate: CryptoProvider.RunHMAC
  private let freeCipher: CryptoProvider.FreeContext
  private let freeAuthenticator: CryptoProvider.FreeContext

  init(keys: SRTPSessionKeys.Part, seals: Bool, crypto: CryptoProvider) throws(SRTPError) {
    guard keys.cipherKey.count == 16, keys.authenticationKey.count == 20, keys.salt.count == 14,
      let cipher = crypto.makeCounterMode(keys.cipherKey)
    else { throw .cryptoFailed }
    guard let authenticator = crypto.makeHMAC(keys.authenticationKey, keys.authenticationKey.count) else {
      crypto.freeCounterMode(cipher)
      throw .cryptoFailed
    }
    self.cipher = cipher
    self.authenticator = authenticator
    self.seals = seals
    saltHigh = keys.salt[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    saltLow = keys.salt[8...].reduce(0) { $0 << 8 | UInt64($1) } << 16
    counter = .allocate(byteCount: 16, alignment: 16)
    digest = .allocate(byteCount: 20, alignment: 16)
    run = crypto.runCounterMode
    authenticate = crypto.runHMAC
    freeCipher = crypto.freeCounterMode
    freeAuthenticator = crypto.freeHMAC
  }

  deinit {
    freeCipher(cipher)
    freeAuthenticator(authenticator)
    counter.deallocate()
    digest.deallocate()
  }

  /// The tag covers the packet and the rollover counter, which is not sent (RFC 3711 section 4.2).
  func runRTP(
    ssrc: UInt32, index: UInt64, packet: UnsafeMutableRawPointer, headerLength: Int, source: UnsafeRawPointer,
    length: Int
  ) -> Bool {
    let text = packet + headerLength
    let tag = text + length
    let rollover = UInt32(truncatingIfNeeded: index >> 16).bigEndian
    if seals {
      guard crypt(source, to: text, length: length, ssrc: ssrc, index: index) else { return false }
      // It stands where the tag will be, so that all that is authenticated is in one piece.
      tag.storeBytes(of: rollover, as: UInt32.self)
      return writeTag(of: packet, length: headerLength &+ length &+ 4, to: tag)
    }
    let received = Tag(at: tag)
    tag.storeBytes(of: rollover, as: UInt32.self)
    return matches(received, packet, length: headerLength &+ length &+ 4)
      && crypt(source, to: text, length: length, ssrc: ssrc, index: index)
  }

  /// The tag covers the word of E bit and index before it (RFC 3711 section 3.4).
  func runRTCP(ssrc: UInt32, index: UInt32, packet: UnsafeMutableRawPointer, length: Int) -> Bool {
    let text = packet + PacketBounds.rtcpHeaderLength
    let textLength = length &- PacketBounds.rtcpHeaderLength
    let tag = packet + length + 4
    if seals {
      return crypt(text, to: text, length: textLength, ssrc: ssrc, index: UInt64(index))
        && writeTag(of: packet, length: length &+ 4, to: tag)
    }
    return matches(Tag(at: tag), packet, length: length &+ 4)
      && crypt(text, to: text, length: textLength, ssrc: ssrc, index: UInt64(index))
  }

  /// RFC 3711 section 4.1.1: the first counter block is the salt with SSRC and index in it.
  private func crypt(
    _ source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, length: Int, ssrc: UInt32, index: UInt64
  ) -> Bool {
    guard length <= Self.maximumLength else { return false }
    counter.storeBytes(of: (saltHigh ^ UInt64(ssrc)).bigEndian, as: UInt64.self)
    counter.storeBytes(of: (saltLow ^ index &<< 16).bigEndian, toByteOffset: 8, as: UInt64.self)
    return run(
      cipher, counter.assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt8.self), length,
      destination.assumingMemoryBound(to: UInt8.self))
  }

  private func computeDigest(of packet: UnsafeMutableRawPointer, length: Int) -> Bool {
    authenticate(
      authenticator, packet.assumingMemoryBound(to: UInt8.self), length, digest.assumingMemoryBound(to: UInt8.self))
  }

  private func writeTag(of packet: UnsafeMutableRawPointer, length: Int, to tag: UnsafeMutableRawPointer) -> Bool {
    guard computeDigest(of: packet, length: length) else { return false }
    tag.copyMemory(from: digest, byteCount: Self.tagLength)
    return true
  }

  private func matches(_ received: Tag, _ packet: UnsafeMutableRawPointer, length: Int) -> Bool {
    computeDigest(of: packet, length: length) && received.equals(Tag(at: digest))
  }

  /// A tag in two words, so that comparing has no branch between its bytes: the time tells nothing of where they differ.
  private struct Tag {
    let high: UInt64
    let low: UInt16

    init(at place: UnsafeMutableRawPointer) {
      high = place.loadUnaligned(as: UInt64.self)
      low = place.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    }

    func equals(_ other: Tag) -> Bool { (high ^ other.high) | UInt64(low ^ other.low) == 0 }
  }
}
