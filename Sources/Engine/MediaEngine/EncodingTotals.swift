import MediaBase

/// What one encoder has made, and what it aims at.
struct EncodingTotals: Sendable {
  var frames = 0
  var bytes = 0
  /// Of the newest picture.
  var width = 0
  var height = 0
  /// Kilobits and pictures per second.
  var targetBitrate = 0
  var targetFrameRate = 0

  mutating func count(_ frame: EncodedVideoFrame, _ plan: EncodingAdaptation.Plan?) {
    frames += 1
    bytes += frame.data.count
    (width, height) = (frame.width, frame.height)
    guard let plan else { return }
    (targetBitrate, targetFrameRate) = (plan.bitrate, plan.frameRate)
  }
}
