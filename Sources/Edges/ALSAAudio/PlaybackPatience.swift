import MediaBase

/// How much sound waits before a speaker: as little as the device bears.
///
/// A card that takes 10 ms at a time is content with 40 ms. A sound server that takes 25 ms at a time is not, and would
/// have run dry before it is asked again, for ever.
struct PlaybackPatience {
  /// Pieces of 10 ms that the buffer holds.
  private(set) var periods = SoundDevice.Direction.playback.periods

  private static let most = 32
  private static let window = MediaDuration.seconds(2)
  private static let bearable = 3
  private var interruptions: [MediaInstant] = []

  /// Takes note of an underrun. `true` if the device is to be opened again, with a buffer of twice the length.
  mutating func noteInterruption(_ now: MediaInstant) -> Bool {
    interruptions.removeAll { now - $0 > Self.window }
    interruptions.append(now)
    guard interruptions.count > Self.bearable, periods < Self.most else { return false }
    periods *= 2
    interruptions.removeAll()
    return true
  }
}
