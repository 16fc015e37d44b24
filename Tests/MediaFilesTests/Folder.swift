import Foundation
import MediaBase
import SyntheticMedia

/// A folder of a test's own, which goes with it.
final class Folder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "greenroom-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }

  /// Writes a file and returns its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: url.appending(path: name))
    return path(name)
  }

  func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appending(path: name))) }
}

/// One picture of the pattern.
func picture(_ width: Int, _ height: Int, atSeconds seconds: Double = 1) -> VideoFrame {
  TestPattern(width: width, height: height).frame(atSeconds: seconds, captureTime: .zero)
}

/// The largest difference of any two samples; 255 if the sizes differ.
func largestDifference(_ a: VideoFrame, _ b: VideoFrame) -> Int {
  guard a.width == b.width, a.height == b.height else { return 255 }
  var largest = 0
  for y in 0..<a.height {
    for x in 0..<a.width {
      largest = max(largest, abs(Int(a.planeY[y * a.strideY + x]) - Int(b.planeY[y * b.strideY + x])))
    }
  }
  for y in 0..<a.chromaHeight {
    for x in 0..<a.chromaWidth {
      let (i, j) = (y * a.strideUV + x, y * b.strideUV + x)
      largest = max(largest, abs(Int(a.planeU[i]) - Int(b.planeU[j])), abs(Int(a.planeV[i]) - Int(b.planeV[j])))
    }
  }
  return largest
}

/// A picture of one colour.
func flatPicture(_ width: Int, _ height: Int, y: UInt8, u: UInt8 = 128, v: UInt8 = 128) -> VideoFrame {
  let frame = VideoFrame(width: width, height: height)
  frame.planeY.update(repeating: y, count: frame.strideY * height)
  frame.planeU.update(repeating: u, count: frame.strideUV * frame.chromaHeight)
  frame.planeV.update(repeating: v, count: frame.strideUV * frame.chromaHeight)
  return frame
}

/// What `body` throws.
func failure(_ body: () throws(MediaDeviceError) -> Void) -> MediaDeviceError? {
  do throws(MediaDeviceError) {
    try body()
    return nil
  } catch {
    return error
  }
}

/// Whether an error says that the contents cannot be used, in words that contain `text`.
func isUnsupported(_ error: MediaDeviceError?, saying text: String = "") -> Bool {
  guard case .unsupportedFormat(_, let detail) = error else { return false }
  return text.isEmpty || detail.contains(text)
}
