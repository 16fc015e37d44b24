import MediaBase
import PictureFilters
import Testing

@Suite struct BeautyFilterTests {
  private static let nothing = BeautyOptions(
    lighteningLevel: 0, smoothnessLevel: 0, rednessLevel: 0, sharpnessLevel: 0)

  /// The left half has the colour of skin, the right half is blue; both have noise of +-6. The lower half is darker by 80.
  private func portrait(_ width: Int = 640, _ height: Int = 360) -> VideoFrame {
    var random = SeededRandom(seed: 7)
    let frame = VideoFrame(width: width, height: height, captureTime: MediaInstant(nanoseconds: 9))
    for row in 0..<height {
      for column in 0..<width {
        let noise = Int.random(in: -6...6, using: &random)
        frame.planeY[row * frame.strideY + column] = UInt8(clamping: (row < height / 2 ? 160 : 80) + noise)
      }
    }
    for row in 0..<frame.chromaHeight {
      for column in 0..<frame.chromaWidth {
        let isSkin = column < frame.chromaWidth / 2
        frame.planeU[row * frame.strideUV + column] = isSkin ? 105 : 190
        frame.planeV[row * frame.strideUV + column] = isSkin ? 150 : 90
      }
    }
    return frame
  }

  private func luma(_ frame: VideoFrame, _ columns: Range<Int>, _ rows: Range<Int>) -> [Double] {
    rows.flatMap { row in columns.map { Double(frame.planeY[row * frame.strideY + $0]) } }
  }

  private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private func deviation(_ values: [Double]) -> Double {
    let middle = mean(values)
    return (values.map { ($0 - middle) * ($0 - middle) }.reduce(0, +) / Double(values.count)).squareRoot()
  }

  private func isEqual(_ a: VideoFrame, _ b: VideoFrame) -> Bool {
    for row in 0..<a.height {
      for column in 0..<a.width where a.planeY[row * a.strideY + column] != b.planeY[row * b.strideY + column] {
        return false
      }
    }
    for row in 0..<a.chromaHeight {
      for column in 0..<a.chromaWidth {
        let (i, j) = (row * a.strideUV + column, row * b.strideUV + column)
        if a.planeU[i] != b.planeU[j] || a.planeV[i] != b.planeV[j] { return false }
      }
    }
    return true
  }

  @Test func `with every level at 0 nothing changes`() {
    let original = portrait()
    let result = BeautyFilter(Self.nothing).filter(original)
    #expect(result !== original && isEqual(result, original))
    #expect(result.captureTime == original.captureTime)
  }

  @Test func `smoothing takes the structure of skin away, and leaves edges and other colours`() {
    var options = Self.nothing
    options.smoothnessLevel = 1
    let original = portrait()
    let kept = portrait()
    let result = BeautyFilter(options).filter(original)
    #expect(isEqual(original, kept), "the frame that was given has been written to")
    let (before, after) = (luma(original, 20..<300, 20..<150), luma(result, 20..<300, 20..<150))
    #expect(deviation(after) < 0.5 * deviation(before), "\(deviation(before)) to \(deviation(after))")
    #expect(abs(mean(after) - mean(before)) < 1)
    // The step of 80 between the halves, a few rows to either side of it.
    let step = mean(luma(result, 20..<300, 174..<178)) - mean(luma(result, 20..<300, 182..<186))
    #expect(step > 72, "\(step)")
    #expect(luma(result, 340..<620, 20..<150) == luma(original, 340..<620, 20..<150))
  }

  @Test func `sharpening makes steps larger`() {
    var options = Self.nothing
    options.sharpnessLevel = 1
    let result = BeautyFilter(options).filter(portrait())
    let step = mean(luma(result, 20..<300, 179..<180)) - mean(luma(result, 20..<300, 180..<181))
    #expect(step > 90, "\(step)")
  }

  @Test func `lightening lifts what is between black and white, with the contrast that is asked for`() {
    let ramp = VideoFrame(width: 220, height: 32)
    for row in 0..<32 { for column in 0..<220 { ramp.planeY[row * ramp.strideY + column] = UInt8(16 + column) } }
    for row in 0..<16 {
      (ramp.planeU + row * ramp.strideUV).update(repeating: 128, count: 110)
      (ramp.planeV + row * ramp.strideUV).update(repeating: 128, count: 110)
    }
    func lightened(_ contrast: BeautyOptions.LighteningContrastLevel) -> [Double] {
      var options = Self.nothing
      options.lighteningLevel = 1
      options.lighteningContrastLevel = contrast
      return luma(BeautyFilter(options).filter(ramp), 0..<220, 8..<9)
    }
    let (low, normal, high) = (lightened(.low), lightened(.normal), lightened(.high))
    for curve in [low, normal, high] {
      #expect(abs(curve[0] - 16) <= 2 && abs(curve[219] - 235) <= 2)
      #expect(curve[110] > 16 + 110 + 15, "\(curve[110])")
      #expect(zip(curve, curve.dropFirst()).allSatisfy { $0 <= $1 + 1 }, "darker where it was lighter")
    }
    func contrast(_ curve: [Double]) -> Double { curve[165] - curve[30] }
    #expect(contrast(low) < contrast(normal) - 5 && contrast(normal) < contrast(high) - 5)
  }

  @Test func `redness changes skin only`() {
    var options = Self.nothing
    options.rednessLevel = 1
    let result = BeautyFilter(options).filter(portrait())
    #expect(result.planeV[10] > 160 && result.planeU[10] < 105)
    #expect(result.planeV[result.chromaWidth - 10] == 90 && result.planeU[result.chromaWidth - 10] == 190)
  }

  @Test(arguments: [(1, 1), (2, 2), (17, 9), (3, 500), (2_000, 1), (1_281, 719)])
  func `any size is filtered`(_ width: Int, _ height: Int) {
    let filter = BeautyFilter(BeautyOptions(lighteningLevel: .nan, smoothnessLevel: 7, rednessLevel: -1))
    for size in [(width, height), (64, 64), (width, height)] {
      let result = filter.filter(portrait(size.0, size.1))
      #expect(result.width == size.0 && result.height == size.1)
    }
  }

  @Test func `levels outside 0 to 1 are not valid`() {
    #expect(BeautyOptions().isValid && Self.nothing.isValid)
    #expect(!BeautyOptions(smoothnessLevel: 1.1).isValid)
    #expect(!BeautyOptions(rednessLevel: -0.1).isValid)
    #expect(!BeautyOptions(lighteningLevel: .nan).isValid)
  }
}
