import MediaBase

/// What has come from the camera, or of one of the application's tracks.
struct CaptureTotals: Sendable {
  private var frames = 0
  private var droppedFrames = 0
  private var width = 0
  private var height = 0
  var brightness = BrightnessMeter()

  mutating func count(_ frame: VideoFrame, hasReplaced: Bool, now: MediaInstant) {
    frames += 1
    droppedFrames += hasReplaced ? 1 : 0
    (width, height) = (frame.width, frame.height)
    brightness.look(at: frame, now: now)
  }

  func add(to totals: inout LocalMediaStatistics) {
    totals.capturedFrames = frames
    totals.droppedFrames = droppedFrames
    (totals.captureWidth, totals.captureHeight) = (width, height)
    totals.captureBrightness = brightness.level
  }
}
