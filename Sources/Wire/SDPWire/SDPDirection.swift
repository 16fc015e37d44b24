/// Which way media flows, from the description's maker (RFC 8866 section 6.7).
public enum SDPDirection: String, Hashable, Sendable, CaseIterable {
  /// Both ways.
  case sendrecv
  /// From the maker.
  case sendonly
  /// To the maker.
  case recvonly
  /// Neither way.
  case inactive

  /// Whether the maker sends.
  public var sends: Bool { self == .sendrecv || self == .sendonly }
  /// Whether the maker receives.
  public var receives: Bool { self == .sendrecv || self == .recvonly }

  /// A direction of these parts.
  public init(sends: Bool, receives: Bool) {
    switch (sends, receives) {
    case (true, true): self = .sendrecv
    case (true, false): self = .sendonly
    case (false, true): self = .recvonly
    case (false, false): self = .inactive
    }
  }
}
