public import MediaBase

/// How an agent is made.
public struct ICEConfiguration: Sendable {
  /// What it does.
  public var role: ICERole
  /// Its own credentials: others' checks are verified with this password.
  public var localCredentials: ICECredentials
  /// The other side's; `nil` if they are not known, which a lite agent can do without.
  public var remoteCredentials: ICECredentials?
  /// Where to send checks, best first; a lite agent needs none.
  public var remoteCandidates: [TransportAddress]
  /// From which transaction ids, the tie breaker and waiting times are drawn; unpredictable in production.
  public var seed: UInt64
  /// Waiting times.
  public var timing: ICETiming

  /// Makes a configuration.
  public init(
    role: ICERole, localCredentials: ICECredentials, remoteCredentials: ICECredentials?,
    remoteCandidates: [TransportAddress], seed: UInt64, timing: ICETiming = ICETiming()
  ) {
    self.role = role
    self.localCredentials = localCredentials
    self.remoteCredentials = remoteCredentials
    self.remoteCandidates = remoteCandidates
    self.seed = seed
    self.timing = timing
  }
}
