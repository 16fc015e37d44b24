import MediaBase

/// Totals of one remote user's sound, through all its pauses.
struct AudioReceiveTotals: Sendable {
  /// After a pause of this length the next sound counts as a first one again.
  private static let firstSoundAgain = MediaDuration.milliseconds(15_000)

  /// 10 ms pieces that were decoded.
  var playedFrames = 0
  /// 10 ms pieces that were made up.
  var concealedFrames = 0
  /// How long sound is held back.
  var delayMilliseconds = 0
  /// From a packet's arrival to its being played, smoothed; `nil` before the first.
  var hold: MediaDuration?
  private var lastSound: MediaInstant?

  /// Adds what has been played just now; whether that was a first sound.
  mutating func add(_ more: AudioReceiveTotals, now: MediaInstant) -> Bool {
    playedFrames += more.playedFrames
    concealedFrames += more.concealedFrames
    delayMilliseconds = more.delayMilliseconds
    hold = more.hold ?? hold
    guard more.playedFrames > 0 else { return false }
    defer { lastSound = now }
    return lastSound.map { now - $0 >= Self.firstSoundAgain } ?? true
  }
}
