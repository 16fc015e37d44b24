import MediaBase

/// How bright pictures are on average: twice a second, by every sixteenth sample of luma in both directions.
struct BrightnessMeter {
  private static let interval = MediaDuration.milliseconds(500)
  private static let step = 16
  /// Of luma in limited range, 16 (black) to 235 (white).
  private static let darkest = 50
  private static let brightest = 200

  private(set) var level = CaptureBrightnessLevel.invalid
  private var nextTime: MediaInstant?

  /// Looks at a picture if it is time to.
  mutating func look(at frame: VideoFrame, now: MediaInstant) {
    if let nextTime, now < nextTime { return }
    nextTime = now + Self.interval
    let mean = Self.mean(of: frame)
    level = mean < Self.darkest ? .dark : mean > Self.brightest ? .bright : .normal
  }

  /// Nothing is captured any more.
  mutating func reset() { self = BrightnessMeter() }

  private static func mean(of frame: VideoFrame) -> Int {
    var (sum, count) = (0, 0)
    for row in stride(from: min(step / 2, frame.height - 1), to: frame.height, by: step) {
      let line = frame.planeY + row * frame.strideY
      for column in stride(from: min(step / 2, frame.width - 1), to: frame.width, by: step) {
        sum += Int(line[column])
        count += 1
      }
    }
    return sum / max(1, count)
  }
}
