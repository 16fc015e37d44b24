import CTurboJPEG
import MediaBase
import TestSupport
import Testing

@testable import V4L2Capture

/// Pictures as cameras send them in JPEG.
@Suite(.ownThread) struct JPEGPictureTests {
  private let decoder = JPEGPictureDecoder()
  private let pool = VideoFramePool()

  /// A picture of one colour with full range, as JPEG has it.
  private func jpeg(_ sampling: TJSAMP, width: Int, height: Int, y: UInt8, u: UInt8, v: UInt8) throws -> [UInt8] {
    let encoder = try #require(tjInitCompress())
    defer { tjDestroy(encoder) }
    let size = width * height
    var luma = [UInt8](repeating: y, count: size)
    var (cb, cr) = ([UInt8](repeating: u, count: size), [UInt8](repeating: v, count: size))
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let status = luma.withUnsafeMutableBufferPointer { luma in
      cb.withUnsafeMutableBufferPointer { cb in
        cr.withUnsafeMutableBufferPointer { cr in
          var planes: [UnsafePointer<UInt8>?] = [luma, cb, cr].map { UnsafePointer($0.baseAddress) }
          return tjCompressFromYUVPlanes(
            encoder, &planes, Int32(width), nil, Int32(height), Int32(sampling.rawValue), &output, &count, 95, 0)
        }
      }
    }
    try #require(status == 0)
    defer { tjFree(output) }
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
  }

  private func decode(_ bytes: [UInt8]) -> VideoFrame? {
    bytes.withUnsafeBufferPointer { decoder.decode($0, largest: (640, 480), time: .zero, pool: pool) }
  }

  @Test(arguments: [TJSAMP_420, TJSAMP_422, TJSAMP_444, TJSAMP_GRAY].map(\.rawValue))
  func `every sampling becomes the same picture with limited range`(sampling: UInt32) throws {
    let bytes = try jpeg(TJSAMP(rawValue: sampling), width: 98, height: 50, y: 200, u: 90, v: 170)
    let frame = try #require(decode(bytes))
    #expect(frame.width == 98 && frame.height == 50)
    let place = (frame.height - 1) * frame.strideY + frame.width - 1
    let chroma = (frame.chromaHeight - 1) * frame.strideUV + frame.chromaWidth - 1
    let isGrey = sampling == TJSAMP_GRAY.rawValue
    // 16 + 200 * 219 / 255; 128 + (90 - 128) * 224 / 255; 128 + (170 - 128) * 224 / 255
    #expect(abs(Int(frame.planeY[place]) - 188) <= 2)
    #expect(abs(Int(frame.planeU[chroma]) - (isGrey ? 128 : 95)) <= 2)
    #expect(abs(Int(frame.planeV[chroma]) - (isGrey ? 128 : 165)) <= 2)
  }

  @Test func `a picture whose end is missing is shown, and bytes without a picture are not`() throws {
    let bytes = try jpeg(TJSAMP_422, width: 320, height: 240, y: 120, u: 100, v: 150)
    #expect(decode(Array(bytes.dropLast(8)))?.width == 320)
    #expect(try decode(jpeg(TJSAMP_420, width: 642, height: 480, y: 1, u: 1, v: 1)) == nil)
    #expect(decode([]) == nil)
    #expect(decode(Array(bytes.prefix(40))) == nil)
    #expect(decode([UInt8](repeating: 0xFF, count: 10_000)) == nil)
  }

  @Test func `damaged pictures never trap`() throws {
    var random = SeededRandom(seed: 5)
    let bytes = try jpeg(TJSAMP_420, width: 64, height: 48, y: 80, u: 200, v: 20)
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<(1 + Int(random.next() % 8)) {
        damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let frame = decode(Array(damaged.prefix(1 + Int(random.next() % UInt64(damaged.count)))))
      if let frame { #expect(frame.width <= 640 && frame.height <= 480) }
    }
  }
}
