import MediaBase

/// Makes pictures that say what they are: number, and numbers of the pictures they refer to.
struct FakeEncoder {
  /// Temporal layer of each picture in turn; the first is always 0.
  var pattern: [UInt8] = [0]
  /// Sizes in bytes.
  var keyFrameSize = 8_000...30_000
  var size = 200...6_000
  var wantsKeyFrame = true
  var random: SeededRandom
  private(set) var pictures: [EncodedVideoFrame] = []
  private var sinceKeyFrame = 0
  private var lastOfLayer: [UInt8: UInt32] = [:]
  var timestamp: UInt32 = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func next(time: MediaInstant) -> EncodedVideoFrame {
    let number = UInt32(pictures.count)
    let isKeyFrame = wantsKeyFrame
    if isKeyFrame {
      sinceKeyFrame = 0
      lastOfLayer = [:]
    }
    let layer = pattern[sinceKeyFrame % pattern.count]
    // A picture refers to the last one of its own layer and of all below.
    let references = (0...layer).compactMap { lastOfLayer[$0] }
    var data: [UInt8] =
      isKeyFrame ? [0x50, 0x42, 0x00, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x01] : [0x51, 0x42, 0, 0, 0, 0, 0, 0, 0, 0]
    data += Self.bytes(number) + [UInt8(references.count)] + references.flatMap { Self.bytes($0) }
    let byteCount = Int.random(in: isKeyFrame ? keyFrameSize : size, using: &random)
    while data.count < byteCount { data.append(UInt8(truncatingIfNeeded: data.count &+ Int(number))) }
    let frame = EncodedVideoFrame(
      data: data, isKeyFrame: isKeyFrame, timestamp: timestamp, captureTime: time, width: 640, height: 360,
      temporalID: layer)
    pictures.append(frame)
    lastOfLayer[layer] = number
    wantsKeyFrame = false
    sinceKeyFrame += 1
    timestamp &+= 3_000
    return frame
  }

  static func number(_ frame: EncodedVideoFrame) -> UInt32 { value(frame.data, at: 10) }

  static func references(_ frame: EncodedVideoFrame) -> [UInt32] {
    (0..<Int(frame.data[14])).map { value(frame.data, at: 15 + 4 * $0) }
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value &>> UInt32(24 - 8 * $0)) }
  }

  private static func value(_ data: [UInt8], at offset: Int) -> UInt32 {
    data[offset..<offset + 4].reduce(0) { $0 &<< 8 | UInt32($1) }
  }
}
