import MediaBase

/// What a simulated camera's encoder made, written into the frame so that the receiver can tell which one it has got and
/// whether all of it is there.
struct SyntheticPicture: Hashable {
  var uid: UInt
  /// Counts the encoder's frames from 0; a frame that is not a key frame builds on the one before.
  var number: UInt32
  var captureTime: MediaInstant
  var isKeyFrame: Bool
  /// All bytes of the frame; at least 800, in the smaller stream 200.
  var byteCount: Int

  /// 3,200 bytes for a key frame, 800 to 2,000 for others.
  private static func usualByteCount(number: UInt32, isKeyFrame: Bool) -> Int {
    isKeyFrame ? 3_200 : 800 + Int(number &* 389 % 1_201)
  }
  /// Whether it is of the smaller one of two streams, which have the same numbers.
  var isLow = false
  private var filler: UInt8 { UInt8(truncatingIfNeeded: number &* 31 &+ 7) }

  /// A VP8 frame as far as packets care: the tag says key frame or not (RFC 6386 section 9.1).
  var frame: EncodedVideoFrame {
    var data: [UInt8] = isKeyFrame ? [0x50, 0x42, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x01] : [0x51, 0x42, 0]
    data.reserveCapacity(byteCount)
    data.appendNumber(UInt64(uid))
    data.appendNumber(UInt64(number))
    data.appendNumber(UInt64(bitPattern: captureTime.nanoseconds))
    data.appendNumber(UInt64(byteCount))
    data.append(isLow ? 1 : 0)
    data.append(contentsOf: repeatElement(filler, count: byteCount - data.count))
    return EncodedVideoFrame(
      data: data, isKeyFrame: isKeyFrame, timestamp: UInt32(truncatingIfNeeded: captureTime.nanoseconds / 11_111),
      captureTime: captureTime, width: 640, height: 360)
  }

  init(
    uid: UInt, number: UInt32, captureTime: MediaInstant, isKeyFrame: Bool, isLow: Bool = false, byteCount: Int? = nil
  ) {
    self.uid = uid
    self.number = number
    self.captureTime = captureTime
    self.isKeyFrame = isKeyFrame
    self.isLow = isLow
    let usual = Self.usualByteCount(number: number, isKeyFrame: isKeyFrame) / (isLow ? 4 : 1)
    self.byteCount = max(byteCount ?? usual, isLow ? 200 : 800)
  }

  /// Reads a frame; nil if it is not exactly as it was made.
  init?(_ frame: EncodedVideoFrame) {
    let start = frame.isKeyFrame ? 10 : 3
    guard frame.data.count >= 200 else { return nil }
    self.init(
      uid: UInt(frame.data.number(at: start)),
      number: UInt32(truncatingIfNeeded: frame.data.number(at: start + 8)),
      captureTime: MediaInstant(nanoseconds: Int64(bitPattern: frame.data.number(at: start + 16))),
      isKeyFrame: frame.isKeyFrame, isLow: frame.data[start + 32] == 1, byteCount: frame.data.count)
    guard frame.data == self.frame.data else { return nil }
  }
}

/// The same for 20 ms of sound.
struct SyntheticSound: Hashable {
  var uid: UInt
  var captureTime: MediaInstant

  static let byteCount = 80

  var frame: EncodedAudioFrame {
    var data: [UInt8] = [0x78]
    data.appendNumber(UInt64(uid))
    data.appendNumber(UInt64(bitPattern: captureTime.nanoseconds))
    data.append(contentsOf: repeatElement(0x33, count: Self.byteCount - data.count))
    return EncodedAudioFrame(
      data: data, timestamp: UInt32(truncatingIfNeeded: captureTime.nanoseconds / 1_000 * 48 / 1_000), sampleCount: 960)
  }

  init(uid: UInt, captureTime: MediaInstant) {
    self.uid = uid
    self.captureTime = captureTime
  }

  init?(_ payload: [UInt8]) {
    guard payload.count == Self.byteCount else { return nil }
    self.init(
      uid: UInt(payload.number(at: 1)),
      captureTime: MediaInstant(nanoseconds: Int64(bitPattern: payload.number(at: 9))))
  }
}

extension [UInt8] {
  fileprivate mutating func appendNumber(_ number: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number &>> shift)) }
  }

  fileprivate func number(at index: Int) -> UInt64 {
    self[index..<index + 8].reduce(UInt64(0)) { $0 &<< 8 | UInt64($1) }
  }
}
