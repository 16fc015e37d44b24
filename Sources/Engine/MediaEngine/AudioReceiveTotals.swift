/// Totals of one remote user's sound.
struct AudioReceiveTotals: Sendable {
  /// 10 ms pieces that were decoded.
  var playedFrames = 0
  /// 10 ms pieces that were made up.
  var concealedFrames = 0
  /// How long sound is held back.
  var delayMilliseconds = 0
}
