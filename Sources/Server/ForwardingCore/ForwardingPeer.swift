public import ICEAgent
public import SecureChannel

/// One user's media connection, as the control plane describes it.
public struct ForwardingPeer: Sendable {
  /// The number that the control plane knows it by.
  public var client: UInt64
  /// The server's ICE credentials for this peer; the user name fragment differs between peers.
  public var localCredentials: ICECredentials
  /// The peer's own.
  public var remoteCredentials: ICECredentials
  /// What the peer encrypts with.
  public var incomingKey: SRTPKeyMaterial
  /// What the server encrypts with.
  public var outgoingKey: SRTPKeyMaterial
  /// The SSRCs that the peer publishes with.
  public var ssrcs: ForwardedSSRCs

  /// Makes a description.
  public init(
    client: UInt64, localCredentials: ICECredentials, remoteCredentials: ICECredentials,
    incomingKey: SRTPKeyMaterial, outgoingKey: SRTPKeyMaterial, ssrcs: ForwardedSSRCs
  ) {
    self.client = client
    self.localCredentials = localCredentials
    self.remoteCredentials = remoteCredentials
    self.incomingKey = incomingKey
    self.outgoingKey = outgoingKey
    self.ssrcs = ssrcs
  }
}
