import MediaBase

/// Totals of one decoder.
struct VideoReceiveTotals: Sendable {
  var decodedFrames = 0
  var decodeSeconds: Double = 0
  var width = 0
  var height = 0
  /// From a picture's arrival to its being handed on, smoothed; `nil` before the first.
  private(set) var hold: MediaDuration?

  mutating func noteHold(_ duration: MediaDuration) { hold = hold.map { $0 + (duration - $0) / 8 } ?? duration }
}
