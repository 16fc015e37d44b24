/// The keys and salts that packets are sealed with, derived from the master key and salt.
struct SRTPSessionKeys {
  /// What either RTP or RTCP is sealed with.
  struct Part {
    /// 16 bytes.
    var cipherKey: [UInt8]
    /// 20 bytes for HMAC-SHA1; none for AEAD_AES_128_GCM.
    var authenticationKey: [UInt8] = []
    /// As many bytes as the profile says.
    var salt: [UInt8]
  }

  let profile: SRTPProtectionProfile
  let rtp: Part
  let rtcp: Part

  init(profile: SRTPProtectionProfile, rtp: Part, rtcp: Part) {
    self.profile = profile
    self.rtp = rtp
    self.rtcp = rtcp
  }

  /// Derives with AES-CM (RFC 3711 section 4.3, labels of section 4.3.2; a key derivation rate of zero).
  init(deriving material: SRTPKeyMaterial, crypto: CryptoProvider) throws(SRTPError) {
    profile = material.profile
    rtp = try Self.derivePart(firstLabel: 0, material, crypto)
    rtcp = try Self.derivePart(firstLabel: 3, material, crypto)
  }

  private static func derivePart(
    firstLabel label: UInt8, _ material: SRTPKeyMaterial, _ crypto: CryptoProvider
  ) throws(SRTPError) -> Part {
    let profile = material.profile
    return Part(
      cipherKey: try derive(label: label, count: 16, from: material, crypto: crypto),
      authenticationKey: try derive(
        label: label + 1, count: profile.authenticationKeyByteCount, from: material, crypto: crypto),
      salt: try derive(label: label + 2, count: profile.saltByteCount, from: material, crypto: crypto))
  }

  /// `count` bytes of the keystream that belongs to `label`.
  static func derive(
    label: UInt8, count: Int, from material: SRTPKeyMaterial, crypto: CryptoProvider
  ) throws(SRTPError) -> [UInt8] {
    // A salt of 12 bytes stands for one of 14 with two zeros after it (RFC 7714 section 11); the two bytes after those
    // count the blocks.
    var block = material.masterSalt + [UInt8](repeating: 0, count: 16 - material.masterSalt.count)
    block[7] ^= label
    var stream: [UInt8] = []
    while stream.count < count {
      let number = stream.count / 16
      block[14] = UInt8(truncatingIfNeeded: number >> 8)
      block[15] = UInt8(truncatingIfNeeded: number)
      var result = [UInt8](repeating: 0, count: 16)
      guard crypto.encryptBlock(material.masterKey, block, &result) else { throw .cryptoFailed }
      stream += result
    }
    return Array(stream.prefix(count))
  }
}
