import MediaBase

/// How much sound waits before a speaker: as little as the device bears.
///
/// A card that takes 10 ms at a time is content with 40 ms. A sound server that takes 25 ms at a time is not, and would
/// have run dry before it is asked again, for ever.
struct PlaybackPatience {
  /// What an underrun means.
  enum Verdict {
    case bearable
    /// The device is to be opened again, with a buffer of twice the length.
    case needsLongerBuffer
    /// It takes sound faster than any device plays it: what is behind it has died.
    case isGone
  }

  /// Pieces of 10 ms that the buffer holds.
  private(set) var periods = SoundDevice.Direction.playback.periods

  private static let most = 32
  private static let window = MediaDuration.seconds(2)
  private static let bearable = 3
  /// The longest buffer takes 320 ms to run dry: in the window it can do so seven times.
  private static let possible = 20
  private var interruptions: [MediaInstant] = []

  /// Takes note of an underrun.
  mutating func noteInterruption(_ now: MediaInstant) -> Verdict {
    interruptions.removeAll { now - $0 > Self.window }
    interruptions.append(now)
    guard interruptions.count > Self.bearable else { return .bearable }
    if periods < Self.most {
      periods *= 2
      interruptions.removeAll()
      return .needsLongerBuffer
    }
    guard interruptions.count > Self.possible else { return .bearable }
    interruptions.removeAll()
    return .isGone
  }
}
