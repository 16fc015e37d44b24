public import MediaBase

/// How long a `SignalDirectory` keeps things, and how many.
public struct SignalConfiguration: Sendable {
  /// How long a session outlives its connection. Until then texts to its user wait; after that the user is offline.
  public var resumeWindow = MediaDuration.milliseconds(5_000)
  /// Most texts that may wait for one user's confirmation. One sender's may take no more than what they leave free:
  /// half if nobody else's wait.
  public var maximumHeldCount = 256
  /// Most bytes that these texts may have; shared alike.
  public var maximumHeldByteCount = 1 << 20
  /// Most bytes that the texts may have that wait for all users together, those that other servers have been given included; each
  /// counts 256 more. Beyond that the oldest are let go that wait for whoever most wait for, and their senders are told.
  public var maximumHeldByteCountOfAll = 64 << 20
  /// Whether texts to users who are not logged in here are given to other servers.
  public var isClustered = false

  /// The defaults.
  public init() {}
}
