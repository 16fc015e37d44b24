/// Why bytes are not a STUN message that may be used (RFC 8489 sections 5, 6.3 and 14).
public enum STUNParseError: Error, Hashable, Sendable {
  /// Fewer bytes than the 20-byte header.
  case truncated
  /// The first two bits or the magic cookie are not those of STUN.
  case notSTUN
  /// The length field is not a multiple of 4 or is not the size of the datagram.
  case lengthMismatch
  /// The attribute of this type runs past the end or its value has the wrong form.
  case malformedAttribute(UInt16)
  /// FINGERPRINT does not match the message or is not its last attribute.
  case badFingerprint
}
