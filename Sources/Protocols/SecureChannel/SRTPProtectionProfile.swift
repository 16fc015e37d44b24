/// How SRTP protects packets, by the numbers of RFC 5764 section 4.1.2 and RFC 7714 section 14.2.
public enum SRTPProtectionProfile: UInt16, Hashable, Sendable, CaseIterable {
  /// AES-128 in counter mode with an 80-bit tag of HMAC-SHA1 (RFC 3711).
  case aes128CounterSHA1_80 = 0x0001
  /// AES-128 in Galois counter mode with a 128-bit tag (RFC 7714).
  case aeadAES128GCM = 0x0007

  /// Bytes of the master salt; the master key has 16.
  public var saltByteCount: Int { self == .aeadAES128GCM ? 12 : 14 }

  /// Bytes of master key and master salt together.
  public var keyMaterialByteCount: Int { 16 + saltByteCount }

  /// Bytes that protection adds to an RTP packet: the tag.
  public var rtpOverhead: Int { self == .aeadAES128GCM ? GCMSession.tagLength : CounterModeSession.tagLength }

  /// Bytes that protection adds to an RTCP packet: the tag, and the word of E bit and index.
  public var rtcpOverhead: Int { rtpOverhead + 4 }

  /// Where the word of E bit and index stands behind the encrypted part: after GCM's tag (RFC 7714 section 9.1), but
  /// before that of HMAC-SHA1, which covers it (RFC 3711 section 3.4).
  var rtcpIndexOffset: Int { self == .aeadAES128GCM ? GCMSession.tagLength : 0 }

  /// Bytes of a session's key for HMAC-SHA1 (RFC 3711 section 5.2).
  var authenticationKeyByteCount: Int { self == .aeadAES128GCM ? 0 : 20 }
}
