import Foundation
import MediaBase
import SyntheticMedia
import VPXCodec

/// Likeness of two luma planes in decibels; 100 if they are equal, 0 if their sizes differ.
func peakSignalToNoise(_ a: VideoFrame, _ b: VideoFrame) -> Double {
  guard a.width == b.width, a.height == b.height else { return 0 }
  var sum = 0
  for y in 0..<a.height {
    for x in 0..<a.width {
      let difference = Int(a.planeY[y * a.strideY + x]) - Int(b.planeY[y * b.strideY + x])
      sum += difference * difference
    }
  }
  guard sum > 0 else { return 100 }
  return 10 * log10(255 * 255 * Double(a.width * a.height) / Double(sum))
}

/// The mean difference of two chroma planes' samples.
func chromaDifference(_ a: VideoFrame, _ b: VideoFrame) -> Double {
  var sum = 0
  for y in 0..<a.chromaHeight {
    for x in 0..<a.chromaWidth {
      let index = y * a.strideUV + x
      sum += abs(Int(a.planeU[index]) - Int(b.planeU[index])) + abs(Int(a.planeV[index]) - Int(b.planeV[index]))
    }
  }
  return Double(sum) / Double(2 * a.chromaWidth * a.chromaHeight)
}

/// A picture that no encoder can compress well.
func noisePicture(width: Int, height: Int, seed: UInt64) -> VideoFrame {
  var random = SeededRandom(seed: seed)
  let frame = VideoFrame(width: width, height: height)
  fill(frame.planeY, count: frame.strideY * height, using: &random)
  fill(frame.planeU, count: frame.strideUV * frame.chromaHeight, using: &random)
  fill(frame.planeV, count: frame.strideUV * frame.chromaHeight, using: &random)
  return frame
}

/// Rows have a multiple of 64 bytes, so whole words can be written.
private func fill(_ plane: UnsafeMutablePointer<UInt8>, count: Int, using random: inout SeededRandom) {
  plane.withMemoryRebound(to: UInt64.self, capacity: count / 8) { words in
    for index in 0..<(count / 8) { words[index] = random.next() }
  }
}

/// The 90 kHz timestamp of picture `index` at 30 a second.
func timestamp(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index * 3_000) }

/// The first pictures of the moving pattern, compressed.
func encodedPattern(
  count: Int, width: Int = 320, height: Int = 180, kilobitsPerSecond: Int = 400
) throws -> [EncodedVideoFrame] {
  let pattern = TestPattern(width: width, height: height)
  let encoder = try VP8Encoder(
    configuration: VP8EncoderConfiguration(
      width: width, height: height, frameRate: 30, bitrateKilobitsPerSecond: kilobitsPerSecond))
  return try (0..<count).compactMap { index in
    let picture = pattern.frame(atSeconds: Double(index) / 30, captureTime: .zero)
    return try encoder.encode(picture, timestamp: timestamp(index))
  }
}

/// Whatever `body` throws, for comparing.
func thrown(_ body: () throws(VPXCodecError) -> Void) -> VPXCodecError? {
  do throws(VPXCodecError) {
    try body()
    return nil
  } catch {
    return error
  }
}
