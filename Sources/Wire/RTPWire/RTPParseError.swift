/// Why bytes are not an RTP or RTCP packet, or not a payload that it should carry.
public enum RTPParseError: Error, Equatable, Sendable {
  /// Fewer bytes than the format's fixed part, or than a length field in it promises.
  case truncated
  /// The version field is not 2 (RFC 3550 section 5.1).
  case unsupportedVersion
  /// The padding length is 0 or longer than the payload.
  case invalidPadding
  /// A field holds a value that the format forbids.
  case invalidField
}
