/// What goes with a role.
public struct ClientRoleOptions: Hashable, Sendable {
  /// How far an audience may be behind; without effect for a broadcaster.
  public var audienceLatencyLevel: AudienceLatencyLevel

  /// Makes options.
  public init(audienceLatencyLevel: AudienceLatencyLevel = .ultraLowLatency) {
    self.audienceLatencyLevel = audienceLatencyLevel
  }
}
