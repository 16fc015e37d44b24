/// A remote user's audio: rates over the last two seconds, and totals since the user came.
public struct RemoteAudioReport: Hashable, Sendable {
  /// Who.
  public var uid: UInt
  /// Kilobits per second received.
  public var receivedBitrate = 0
  /// Channels played.
  public var numChannels = 2
  /// Samples per second played: 48,000.
  public var receivedSampleRate = 48_000
  /// Milliseconds that sound is held back for the network's unevenness.
  public var jitterBufferDelay = 0
  /// Percent of sound that had to be made up.
  public var audioLossRate = 0
  /// Milliseconds in all of two-second pieces of which at least 4 percent had to be made up.
  public var totalFrozenTime = 0
  /// Percent of the time since the user came that is.
  public var frozenRate = 0
  /// Milliseconds since the user came.
  public var totalActiveTime = 0
  /// 1 (excellent) to 6 (nothing is heard), by `audioLossRate`: below 1, 3, 6, 12, 50 percent.
  public var quality = 1
  /// How good it sounds, as people would judge it on average, times 100: 100 (bad) to 441, by what had to be made up, the
  /// way between here and the server, and what sound is held back. The sender's way is not known, and not counted.
  public var mosValue = 0

  /// Nothing yet.
  public init(uid: UInt) { self.uid = uid }
}
