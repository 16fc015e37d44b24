import MediaBase
import PictureFiles
import SyntheticMedia

/// Which picture of a file is shown when. Without a clock of its own.
final class Y4MPlayback: @unchecked Sendable {
  // @unchecked: made on one thread, then used by the source's thread only.

  /// How often a picture is due.
  let rate: PacedThread.Rate

  private let path: String
  private let reader: Y4MReader
  private let scaler = VideoScaler()
  private let format: VideoCaptureFormat
  private let loops: Bool
  /// Pictures of the file for each tick, at least 1.
  private let step: Double
  /// Pictures read or left out so far.
  private var position: Int64 = 0
  /// The first picture, which was read to see that there is one.
  private var firstPicture: VideoFrame?

  init(path: String, format: VideoCaptureFormat, loops: Bool) throws(MediaDeviceError) {
    let sides = 16...4_096
    guard sides.contains(format.width), sides.contains(format.height) else {
      throw .unsupportedFormat(
        name: path, detail: "pictures of \(format.width)x\(format.height) are outside 16x16 to 4096x4096")
    }
    let reader = try Y4MReader(path: path)
    guard let firstPicture = try reader.next() else {
      throw .unsupportedFormat(name: path, detail: "it has no pictures")
    }
    let own = PacedThread.Rate(reader.header.frameRateNumerator, per: reader.header.frameRateDenominator)
    let requested = PacedThread.Rate(format.frameRate)
    rate = requested.perSecond < own.perSecond ? requested : own
    step = own.perSecond / rate.perSecond
    self.path = path
    self.reader = reader
    self.format = format
    self.loops = loops
    self.firstPicture = firstPicture
  }

  /// The picture of tick `index`, in the requested size; nobody else holds its memory. Indices only grow. `nil` at the end
  /// of a file that does not loop.
  func frame(for index: Int64) throws(MediaDeviceError) -> VideoFrame? {
    // The addition keeps 2 x 1.5 from being a hair below 3.
    let wanted = Int64(Double(index) * step + 1e-6)
    if let first = firstPicture {
      firstPicture = nil
      position = 1
      if wanted == 0 { return fitted(first) }
    }
    while position < wanted {
      guard try advance({ () throws(MediaDeviceError) in try self.reader.skip() ? true : nil }) != nil else {
        return nil
      }
    }
    return try advance { () throws(MediaDeviceError) in try self.reader.next() }.map { fitted($0) }
  }

  /// Takes one step in the file, over its end if it loops.
  private func advance<Result>(
    _ take: () throws(MediaDeviceError) -> Result?
  ) throws(MediaDeviceError) -> Result? {
    position += 1
    if let result = try take() { return result }
    guard loops else { return nil }
    try reader.rewind()
    guard let result = try take() else {
      throw .unsupportedFormat(name: path, detail: "its pictures have gone while it was played")
    }
    return result
  }

  private func fitted(_ frame: VideoFrame) -> VideoFrame {
    scaler.fill(frame, width: format.width, height: format.height)
  }
}
