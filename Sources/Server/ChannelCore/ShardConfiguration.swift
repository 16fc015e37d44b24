public import ControlWire
public import ForwardingCore
public import MediaBase

/// What a `ChannelShard` announces, how much it accepts, and how long it waits for media.
public struct ShardConfiguration: Sendable {
  /// The control plane's part: candidates, payload types, limits.
  public var directory: ChannelDirectoryConfiguration
  /// The packet path's part.
  public var forwarding: ForwardingConfiguration
  /// How long a user stays whose control connection has ended without a goodbye and whose media comes no more. While it
  /// comes, the user stays as long as one who is silent (`ForwardingConfiguration.silenceTimeout`).
  public var abandonTimeout = MediaDuration.milliseconds(4_000)

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - candidates: where clients send connectivity checks, best first.
  ///   - connectTimeout: how long a joined user may take until its media connects; then the user is dropped.
  ///   - consentTimeout: how long a connected user may go without a connectivity check; then the user is dropped.
  public init(
    candidates: [CandidateAddress], rtp: RTPParameters = RTPParameters(), maximumChannelCount: Int = 10_000,
    maximumUserCount: Int = 10_000, connectTimeout: MediaDuration = .milliseconds(30_000),
    consentTimeout: MediaDuration = .milliseconds(30_000)
  ) {
    directory = ChannelDirectoryConfiguration(
      candidates: candidates, rtp: rtp, maximumChannelCount: maximumChannelCount, maximumUserCount: maximumUserCount)
    forwarding = ForwardingConfiguration(connectTimeout: connectTimeout, consentTimeout: consentTimeout)
    forwarding.cachedStart = CachedStart()
  }
}
