import Foundation
import MediaBase
import SyntheticMedia
import TestSupport
import Testing

@testable import PictureFiles

@Suite(.ownThread) struct JPEGFileTests {
  /// A picture with gradients, edges and colours.
  private func picture(_ width: Int, _ height: Int) -> VideoFrame {
    let frame = VideoFrame(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        frame.planeY[y * frame.strideY + x] = UInt8(16 + (x * 219 / width + (y / 8 % 2) * 40) % 220)
      }
    }
    for y in 0..<frame.chromaHeight {
      for x in 0..<frame.chromaWidth {
        frame.planeU[y * frame.strideUV + x] = UInt8(60 + x * 130 / frame.chromaWidth)
        frame.planeV[y * frame.strideUV + x] = UInt8(200 - y * 130 / frame.chromaHeight)
      }
    }
    return frame
  }

  @Test(arguments: [(64, 48), (321, 181), (17, 1), (8, 8)])
  func `another decoder finds the picture in the file again`(width: Int, height: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "jpeg-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (jpeg, raw) = (folder.appending(path: "p.jpg").path, folder.appending(path: "p.gray").path)
    let frame = picture(width, height)
    try JPEGFile.write(frame, to: jpeg)
    let decoder = Process()
    decoder.executableURL = URL(filePath: "/usr/bin/env")
    decoder.arguments = [
      "ffmpeg", "-v", "error", "-xerror", "-i", jpeg, "-f", "rawvideo", "-pix_fmt", "yuvj420p", raw,
    ]
    decoder.standardInput = FileHandle.nullDevice
    try decoder.run()
    decoder.waitUntilExit()
    #expect(decoder.terminationStatus == 0)
    let bytes = try Data(contentsOf: URL(filePath: raw))
    let chromaCount = frame.chromaWidth * frame.chromaHeight
    try #require(bytes.count == width * height + 2 * chromaCount)
    func error(_ plane: UnsafeMutablePointer<UInt8>, _ stride: Int, _ columns: Int, _ offset: Int, _ count: Int)
      -> Double
    {
      var sum = 0.0
      for index in 0..<count {
        let sample = Double(plane[index / columns * stride + index % columns])
        let full = offset == 0 ? (sample - 16) * 255 / 219 : (sample - 128) * 255 / 224 + 128
        sum += pow(Double(bytes[bytes.startIndex + offset + index]) - min(255, max(0, full)), 2)
      }
      return (sum / Double(count)).squareRoot()
    }
    #expect(error(frame.planeY, frame.strideY, width, 0, width * height) < 4)
    #expect(error(frame.planeU, frame.strideUV, frame.chromaWidth, width * height, chromaCount) < 4)
    #expect(error(frame.planeV, frame.strideUV, frame.chromaWidth, width * height + chromaCount, chromaCount) < 4)
  }

  @Test func `less quality makes a smaller file`() throws {
    let frame = picture(320, 180)
    let sizes = try [95, 75, 30, 1].map { try JPEGFile.encode(frame, quality: $0).count }
    #expect(sizes == sizes.sorted(by: >))
    #expect(sizes[0] > sizes[3] * 3)
  }

  @Test func `a mirror image of a mirror image is the picture, and a crop its middle`() {
    let frame = picture(64, 48)
    let twice = frame.mirrored().mirrored()
    for y in 0..<48 {
      for x in 0..<64 { #expect(twice.planeY[y * twice.strideY + x] == frame.planeY[y * frame.strideY + x]) }
    }
    let part = frame.cropped(toWidth: 9, height: 16)
    #expect(part.height == 48)
    #expect(part.width == 26)
    #expect(part.planeY[0] == frame.planeY[(64 - 26) / 4 * 2])
    #expect(frame.cropped(toWidth: 4, height: 3) === frame)
  }
}
