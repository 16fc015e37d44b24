public import SecureChannel

/// One user's media connection, as the control plane describes it.
public struct ForwardingPeer: Sendable {
  /// The number that the control plane knows it by.
  public var client: UInt64
  /// The server's ICE user name fragment for this peer; differs between peers.
  public var localUsernameFragment: String
  /// The server's ICE password for this peer.
  public var localPassword: String
  /// The peer's own user name fragment.
  public var remoteUsernameFragment: String
  /// What the peer encrypts with.
  public var incomingKey: SRTPKeyMaterial
  /// What the server encrypts with.
  public var outgoingKey: SRTPKeyMaterial
  /// The SSRCs that the peer publishes with.
  public var ssrcs: ForwardedSSRCs

  /// Makes a description.
  public init(
    client: UInt64, localUsernameFragment: String, localPassword: String, remoteUsernameFragment: String,
    incomingKey: SRTPKeyMaterial, outgoingKey: SRTPKeyMaterial, ssrcs: ForwardedSSRCs
  ) {
    self.client = client
    self.localUsernameFragment = localUsernameFragment
    self.localPassword = localPassword
    self.remoteUsernameFragment = remoteUsernameFragment
    self.incomingKey = incomingKey
    self.outgoingKey = outgoingKey
    self.ssrcs = ssrcs
  }
}
