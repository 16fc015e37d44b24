/// What a VP8 encoder is to make.
public struct VP8EncoderConfiguration: Hashable, Sendable {
  /// Width in pixels, 1...16,383 (RFC 6386 section 9.1).
  public var width: Int
  /// Height in pixels, 1...16,383.
  public var height: Int
  /// The highest number of pictures per second, 1...240. The encoder measures the real one from the timestamps.
  public var frameRate: Int
  /// Bit rate to aim for, in 1,000 bits per second, 10...100,000.
  public var bitrateKilobitsPerSecond: Int
  /// How much compression is given up for speed, 0 (best) ... 16 (fastest): libvpx's `cpu-used` with the sign turned, so
  /// that the speed is fixed and does not follow the load of the machine. From 6 to 8 a picture of 640x360 loses about
  /// 0.1 dB and takes a tenth less time.
  public var speed = 8
  /// Whether pictures may be left out to keep the bit rate. Without it the rate overshoots on hard pictures instead.
  public var mayDropFrames = true

  /// Temporal layers, 1 or 2. Of two, every other picture is needed by no other (RFC 7741 section 4.2), so that whoever
  /// forwards the stream can leave it out: half the pictures for about 60 % of the bit rate.
  public var temporalLayerCount = 1

  /// Makes a configuration with the default speed.
  public init(width: Int, height: Int, frameRate: Int, bitrateKilobitsPerSecond: Int) {
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.bitrateKilobitsPerSecond = bitrateKilobitsPerSecond
  }

  /// What is wrong with the values, if anything.
  var problem: String? {
    let sizes = 1...16_383
    if !sizes.contains(width) || !sizes.contains(height) {
      return "the size \(width)x\(height) is outside 1x1 to 16383x16383"
    }
    if !(1...240).contains(frameRate) { return "the frame rate \(frameRate) is outside 1 to 240" }
    if !(10...100_000).contains(bitrateKilobitsPerSecond) {
      return "the bit rate of \(bitrateKilobitsPerSecond) kb/s is outside 10 to 100000"
    }
    if !(1...2).contains(temporalLayerCount) { return "\(temporalLayerCount) temporal layers are none of 1 and 2" }
    if !(0...16).contains(speed) { return "the speed \(speed) is outside 0 to 16" }
    return nil
  }
}
