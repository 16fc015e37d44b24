/// The keys and salts that packets are sealed with, derived from the master key and salt.
struct SRTPSessionKeys {
  /// 16 bytes.
  var rtpKey: [UInt8]
  /// 12 bytes.
  var rtpSalt: [UInt8]
  /// 16 bytes.
  var rtcpKey: [UInt8]
  /// 12 bytes.
  var rtcpSalt: [UInt8]

  init(rtpKey: [UInt8], rtpSalt: [UInt8], rtcpKey: [UInt8], rtcpSalt: [UInt8]) {
    self.rtpKey = rtpKey
    self.rtpSalt = rtpSalt
    self.rtcpKey = rtcpKey
    self.rtcpSalt = rtcpSalt
  }

  /// Derives with AES-CM (RFC 3711 section 4.3, labels of section 4.3.2; a key derivation rate of zero).
  init(deriving material: SRTPKeyMaterial, crypto: CryptoProvider) throws(SRTPError) {
    rtpKey = try Self.derive(label: 0, count: 16, material, crypto)
    rtpSalt = try Self.derive(label: 2, count: 12, material, crypto)
    rtcpKey = try Self.derive(label: 3, count: 16, material, crypto)
    rtcpSalt = try Self.derive(label: 5, count: 12, material, crypto)
  }

  private static func derive(
    label: UInt8, count: Int, _ material: SRTPKeyMaterial, _ crypto: CryptoProvider
  ) throws(SRTPError) -> [UInt8] {
    // The salt of 12 bytes stands for one of 14 with two zeros after it (RFC 7714 section 11); the two bytes after
    // those are the block counter, of which one block (zero) is enough here.
    var block = material.masterSalt + [0, 0, 0, 0]
    block[7] ^= label
    var result = [UInt8](repeating: 0, count: 16)
    guard crypto.encryptBlock(material.masterKey, block, &result) else { throw .cryptoFailed }
    return Array(result.prefix(count))
  }
}
