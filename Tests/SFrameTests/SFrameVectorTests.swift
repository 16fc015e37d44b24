import OpenSSLCrypto
import SecureChannel
import Testing

@testable import SFrame

@Suite("SFrame: test vectors of RFC 9605 appendix C")
struct SFrameVectorTests {
  @Test(
    arguments: [
      (0, 0, "00"), (0, 1, "01"), (0, 0xFF, "08ff"), (0, 0x100, "090100"), (0, 0x1_0000, "0a010000"),
      (0, 0xFFFF_FFFF_FFFF_FFFF, "0fffffffffffffffff"), (1, 0, "10"), (1, 1, "11"), (1, 0x100_0000, "1b01000000"),
      (0xFF, 0, "80ff"), (0xFF, 0xFF, "88ffff"), (0xFF, 0x1_0000_0000, "8cff0100000000"), (0x100, 0, "900100"),
      (0x100, 0xFFFF, "990100ffff"), (0xFFFF, 0xFF_FFFF, "9affffffffff"), (0x1_0000, 1, "a1010000"),
      (0x1_0000, 0xFF_FFFF_FFFF, "ac010000ffffffffff"), (0x100_0000_0000, 0x1_0000, "da010000000000010000"),
      (0xFFFF_FFFF_FFFF, 0x100_0000_0000, "ddffffffffffff010000000000"),
      (0x1_0000_0000_0000, 0xFF_FFFF_FFFF_FFFF, "ee01000000000000ffffffffffffff"),
      (0xFF_FFFF_FFFF_FFFF, 0, "e0ffffffffffffff"), (0x100_0000_0000_0000, 0xFF, "f80100000000000000ff"),
      (0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, "ffffffffffffffffffffffffffffffffff"),
    ] as [(UInt64, UInt64, String)])
  func `headers are those of section C.1`(keyID: UInt64, counter: UInt64, text: String) throws {
    var written: [UInt8] = []
    let header = SFrameHeader(keyID: keyID, counter: counter)
    header.append(to: &written)
    #expect(written == bytes(text))
    #expect(header.byteCount == written.count)
    let parsed = try SFrameHeader.parse((written + [0xAA]).span.bytes)
    #expect(parsed.header == header)
    #expect(parsed.byteCount == written.count)
  }

  @Test(
    arguments: [
      (.aes128CTRHMACSHA256Tag80, "6339af04ada1d064688a442b8dc69d5b6bfa40f4bef0583e8081069cc60705"),
      (.aes128CTRHMACSHA256Tag64, "6339af04ada1d064688a442b8dc69d5b6bfa40f4be6e93b7da076927bb"),
      (.aes128CTRHMACSHA256Tag32, "6339af04ada1d064688a442b8dc69d5b6bfa40f4be09480509"),
    ] as [(SFrameCipherSuite, String)])
  func `counter mode with HMAC is that of section C.2`(suite: SFrameCipherSuite, text: String) throws {
    let key = [UInt8](0..<48)
    // The counter 0 leaves the salt as it is: the vector's nonce.
    let nonce = bytes("101112131415161718191a1b")
    let associated = bytes("4945544620534672616d65205747")
    let plain = bytes("64726166742d696574662d736672616d652d656e63")
    let sealing = try SFrameKey(key, salt: nonce, suite: suite, seals: true, crypto: OpenSSLCrypto.provider)
    #expect(sealing.seal(plain[...], counter: 0, associated: associated, behind: []) == bytes(text))
    let opening = try SFrameKey(key, salt: nonce, suite: suite, seals: false, crypto: OpenSSLCrypto.provider)
    #expect(opening.open(bytes(text)[...], counter: 0, associated: associated, behind: []) == plain)
  }

  @Test(
    arguments: [
      (.aes128CTRHMACSHA256Tag80, "9901234567449408b6f490086165b9d6f62b24ae1a59a56486b4ae8ed036b88912e24f11"),
      (.aes128CTRHMACSHA256Tag64, "99012345673f31438db4d09434e43afa0f8a2f00867a2be085046a9f5cb4f101d607"),
      (.aes128CTRHMACSHA256Tag32, "990123456717fc8af28a5a695afcfc6c8df6358a17e26b2fcb3bae32e443"),
      (.aes128GCMSHA256, "9901234567b7412c2513a1b66dbb48841bbaf17f598751176ad847681a69c6d0b091c07018ce4adb34eb"),
      (.aes256GCMSHA512, "990123456794f509d36e9beacb0e261d99c7d1e972f1fed787d4049f17ca21353c1cc24d56ceabced279"),
    ] as [(SFrameCipherSuite, String)])
  func `frames are those of section C.3`(suite: SFrameCipherSuite, text: String) throws {
    let base = bytes("000102030405060708090a0b0c0d0e0f")
    let metadata = bytes("4945544620534672616d65205747")
    let plain = bytes("64726166742d696574662d736672616d652d656e63")
    var header: [UInt8] = []
    SFrameHeader(keyID: 0x123, counter: 0x4567).append(to: &header)
    let crypto = OpenSSLCrypto.provider
    let sealing = try SFrameKey(baseKey: base, keyID: 0x123, suite: suite, seals: true, crypto: crypto)
    let sealed = sealing.seal(plain[...], counter: 0x4567, associated: header + metadata, behind: header)
    #expect(sealed == bytes(text))
    let opening = try SFrameKey(baseKey: base, keyID: 0x123, suite: suite, seals: false, crypto: crypto)
    let ciphertext = bytes(text)[header.count...]
    #expect(opening.open(ciphertext, counter: 0x4567, associated: header + metadata, behind: []) == plain)
    #expect(opening.open(ciphertext, counter: 0x4568, associated: header + metadata, behind: []) == nil)
    #expect(opening.open(ciphertext, counter: 0x4567, associated: header, behind: []) == nil)
  }

  @Test func `the ratchet is HKDF with the label of section 5_1`() throws {
    let base = bytes("000102030405060708090a0b0c0d0e0f")
    let next = try SFrameKey.ratchet(base, suite: .aes128GCMSHA256, crypto: OpenSSLCrypto.provider)
    // Computed from RFC 5869 with another library.
    #expect(next == bytes(Self.ratcheted))
  }

  @Test func `key derivation is that of RFC 5869 appendix A_1`() throws {
    let derivation = KeyDerivation(.sha256, crypto: OpenSSLCrypto.provider)
    let secret = try #require(
      derivation.extract(
        salt: bytes("000102030405060708090a0b0c"), keyMaterial: [UInt8](repeating: 0x0B, count: 22)))
    #expect(secret == bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"))
    #expect(
      derivation.expand(secret, info: bytes("f0f1f2f3f4f5f6f7f8f9"), byteCount: 42)
        == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
    #expect(derivation.expand(secret, info: [], byteCount: 255 * 32)?.count == 255 * 32)
    #expect(derivation.expand(secret, info: [], byteCount: 255 * 32 + 1) == nil)
    #expect(derivation.expand(secret, info: [], byteCount: -1) == nil)
  }
}

extension SFrameVectorTests {
  static let ratcheted = "fb75d8d5782da6c6cbf18ac43eca5da9e47f7e6ac7926a78e486226bd2af0f87"
}

/// The bytes of hexadecimal digits.
func bytes(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
