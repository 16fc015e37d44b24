/// What to encode. All values are ceilings: a smaller or slower source is encoded as it is, and where the network carries
/// less, less is made.
public struct VideoEncoderConfiguration: Hashable, Sendable {
  /// Width in pixels, 16 to 4,096.
  public var width: Int
  /// Height in pixels, 16 to 4,096.
  public var height: Int
  /// Frames per second, 1 to 60.
  public var frameRate: Int
  /// Kilobits per second, up to 20,000; 0 lets the engine choose by size and rate.
  public var bitrate: Int
  /// What is given up first where the network does not carry that.
  public var degradationPreference: DegradationPreference
  /// Temporal layers, 1 or 2: of two, every other picture can be left out for receivers whose bandwidth is short. Costs
  /// some percent of the bit rate.
  public var temporalLayerCount = 1
  /// In which shape pictures are sent.
  public var orientationMode: VideoOrientationMode
  /// Whether pictures are sent as in a mirror; `auto` is not.
  public var mirrorMode: VideoMirrorMode

  /// Makes a configuration; the defaults are the SDKs'.
  public init(
    width: Int = 960, height: Int = 540, frameRate: Int = 15, bitrate: Int = 0,
    degradationPreference: DegradationPreference = .automatic,
    orientationMode: VideoOrientationMode = .adaptive, mirrorMode: VideoMirrorMode = .auto
  ) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.bitrate = bitrate
    self.degradationPreference = degradationPreference
    self.orientationMode = orientationMode
    self.mirrorMode = mirrorMode
  }

  /// The smaller one of two streams, unless the application says what it is: half the width and height.
  var lowStream: VideoEncoderConfiguration {
    func half(_ length: Int) -> Int { max(16, length / 4 * 2) }
    var low = VideoEncoderConfiguration(width: half(width), height: half(height), frameRate: frameRate)
    low.degradationPreference = degradationPreference
    low.temporalLayerCount = temporalLayerCount
    low.orientationMode = orientationMode
    low.mirrorMode = mirrorMode
    return low
  }

  /// Whether every value is in its range.
  var isValid: Bool {
    (16...4_096).contains(width) && (16...4_096).contains(height) && (1...60).contains(frameRate)
      && (0...20_000).contains(bitrate) && (1...2).contains(temporalLayerCount)
  }

  /// The same with every value in its range.
  var inRange: VideoEncoderConfiguration {
    func near(_ value: Int, _ range: ClosedRange<Int>) -> Int { min(max(value, range.lowerBound), range.upperBound) }
    var result = self
    result.width = near(width, 16...4_096)
    result.height = near(height, 16...4_096)
    result.frameRate = near(frameRate, 1...60)
    result.bitrate = near(bitrate, 0...20_000)
    result.temporalLayerCount = near(temporalLayerCount, 1...2)
    return result
  }

  /// The bit rate to encode with in kilobits per second: the given one, or about 0.1 bit for each pixel at 15 frames per
  /// second, growing slower than the frame rate does (640x360 at 30: 550 kbit/s).
  var effectiveBitrate: Int {
    if bitrate > 0 { return bitrate }
    let pixels = Double(max(1, width)) * Double(max(1, height))
    let rate =
      pixels * 0.1 * 15 * (Double(max(1, frameRate)) / 15).squareRoot() / 1_000
      * (640.0 * 360.0 / pixels).squareRoot().clamped(to: 0.6...1.4)
    return Int(rate.clamped(to: 60...20_000))
  }
}

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
