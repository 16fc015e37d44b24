/// `a=setup` (RFC 4145 section 4, for DTLS RFC 8842): who sends the first message.
public enum SDPSetupRole: String, Hashable, Sendable {
  /// The maker of the description does.
  case active
  /// The other side does.
  case passive
  /// The other side may choose; offers say so.
  case actpass
}
