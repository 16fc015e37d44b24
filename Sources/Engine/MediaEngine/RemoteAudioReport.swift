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
  /// Milliseconds that packets take from the sender's capture of their last sample to their arrival here, by the wall clocks
  /// of both machines, which have to be right (NTP) where these are two; 0 if unknown.
  public var networkTransportDelay = 0
  /// Milliseconds from capture to being heard here, by the same clocks; 0 if unknown.
  public var e2eDelay = 0
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
  /// Milliseconds for which the user has published sound, as far as this side has seen: since the user came at the longest.
  public var publishDuration = 0
  /// What a listener makes of it: bad below a `mosValue` of 360 (ITU-T G.109: many are dissatisfied), or where sound counts
  /// as frozen.
  public var qoeQuality = ExperienceQuality.good
  /// Why it is bad, as far as can be told; empty while it is good.
  public var qualityChangedReason: ExperiencePoorReason = []
  /// 1 (excellent) to 6 (nothing is heard), by `audioLossRate`: below 1, 3, 6, 12, 50 percent.
  public var quality = 1
  /// How good it sounds, as people would judge it on average, times 100: 100 (bad) to 441, by what had to be made up
  /// and `e2eDelay`; while that is not known, the way between here and the server and what sound is held back take its
  /// place, and the sender's way is not counted.
  public var mosValue = 0

  /// Nothing yet.
  public init(uid: UInt) { self.uid = uid }
}
