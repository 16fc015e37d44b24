public import ICEAgent
public import MediaBase
public import SecureChannel

/// How a peer's transport is made.
public struct PeerTransportConfiguration: Sendable {
  /// The path: role, credentials, candidates, waiting times.
  public var ice: ICEConfiguration
  /// What this side encrypts with.
  public var outgoingKey: SRTPKeyMaterial
  /// What the other side encrypts with.
  public var incomingKey: SRTPKeyMaterial

  /// Makes a configuration.
  public init(
    role: ICERole, localCredentials: ICECredentials, remoteCredentials: ICECredentials?,
    remoteCandidates: [TransportAddress], outgoingKey: SRTPKeyMaterial, incomingKey: SRTPKeyMaterial, seed: UInt64,
    timing: ICETiming = ICETiming()
  ) {
    ice = ICEConfiguration(
      role: role, localCredentials: localCredentials, remoteCredentials: remoteCredentials,
      remoteCandidates: remoteCandidates, seed: seed, timing: timing)
    self.outgoingKey = outgoingKey
    self.incomingKey = incomingKey
  }
}
