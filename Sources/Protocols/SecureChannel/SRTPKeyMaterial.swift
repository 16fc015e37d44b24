/// The master key and master salt of one direction, and what they are for (RFC 3711 section 8.2, RFC 7714 section 12).
public struct SRTPKeyMaterial: Sendable, Equatable, CustomStringConvertible {
  /// Bytes of key and salt together for AEAD_AES_128_GCM.
  public static let byteCount = 28

  /// How packets are protected.
  public let profile: SRTPProtectionProfile
  /// 16 bytes.
  public let masterKey: [UInt8]
  /// As many bytes as the profile says.
  public let masterSalt: [UInt8]

  /// Takes 16 bytes of key followed by the profile's salt; nil for another count.
  public init?(profile: SRTPProtectionProfile, bytes: [UInt8]) {
    guard bytes.count == profile.keyMaterialByteCount else { return nil }
    self.profile = profile
    masterKey = Array(bytes[..<16])
    masterSalt = Array(bytes[16...])
  }

  /// For AEAD_AES_128_GCM: takes 16 bytes of key followed by 12 bytes of salt; nil for another count.
  public init?(bytes: [UInt8]) { self.init(profile: .aeadAES128GCM, bytes: bytes) }

  /// For AEAD_AES_128_GCM: takes 56 hexadecimal digits, key first, as the control protocol carries them; nil for
  /// anything else.
  public init?(hexadecimal: String) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in hexadecimal.utf8 {
      guard bytes.count < Self.byteCount, let digit = Self.value(ofDigit: character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else { return nil }
    self.init(bytes: bytes)
  }

  /// Lower-case hexadecimal digits, key first; 56 for AEAD_AES_128_GCM.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in masterKey + masterSalt {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Does not show the key, so that it does not get into a log.
  public var description: String { "SRTPKeyMaterial(hidden)" }

  private static func value(ofDigit character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x37
    case 0x61...0x66: character - 0x57
    default: nil
    }
  }
}
