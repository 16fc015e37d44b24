/// What the forwarding room reports of its peers.
public enum ForwardingEvent: Hashable, Sendable {
  /// A peer's connectivity checks have chosen an address for the first time.
  case peerConnected(client: UInt64)
  /// Nothing has come from a connected peer for `ForwardingConfiguration.silenceTimeout`.
  case peerSilent(client: UInt64)
  /// Something has come from a peer that was silent.
  case peerHeard(client: UInt64)
  /// A peer has not checked its connection for too long (RFC 7675), or never has.
  case peerLost(client: UInt64)
  /// A subscriber's path does not carry any of a publisher's video, which pauses; or it carries it again.
  case videoPaused(subscriber: UInt64, publisher: UInt64, Bool)
}
