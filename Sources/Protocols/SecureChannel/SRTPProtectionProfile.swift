/// How SRTP protects packets, by the numbers of RFC 5764 section 4.1.2 and RFC 7714 section 14.2.
public enum SRTPProtectionProfile: UInt16, Hashable, Sendable {
  /// AES-128 in counter mode with an 80-bit tag of HMAC-SHA1.
  case aes128CounterSHA1_80 = 0x0001
  /// AES-128 in Galois counter mode with a 128-bit tag.
  case aeadAES128GCM = 0x0007

  /// Bytes of the master salt; the master key has 16.
  public var saltByteCount: Int { self == .aeadAES128GCM ? 12 : 14 }
}
