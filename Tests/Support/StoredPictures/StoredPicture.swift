import Glibc
public import MediaBase
import PictureFiles

/// A small picture beside the tests that what is shown must look like: in the folder `Pictures` of the test's own. Fonts and
/// codecs may differ a little; whatever else is missing, moved or of another colour may not.
///
/// `scripts/store-pictures` makes all of them anew, from what the tests show; look at them before they are committed.
public struct StoredPicture {
  /// Of the stored pictures; those that are compared are scaled to it.
  public static let longestSide = 320
  /// Pictures are compared by the means of squares of so many pixels, which letters of another font hardly change.
  private static let square = 8
  /// What the mean of a square may differ by, of 255.
  private static let tolerance = 20

  private let path: String
  private let failed: String

  /// - Parameter name: of the file, without `.png`.
  public init(_ name: String, file: String = #filePath) {
    let folder = file[..<(file.lastIndex(of: "/") ?? file.startIndex)]
    path = "\(folder)/Pictures/\(name).png"
    failed = "/tmp/\(name)-seen.png"
  }

  /// Whether pictures are to be stored instead of compared.
  public static var isStoring: Bool { getenv("STORE_PICTURES") != nil }

  /// What differs; `nil` if the pictures look alike. What was seen is kept in `/tmp` then.
  ///
  /// - Parameters:
  ///   - rows: in thousandths of the height, that do not count: a clock runs there.
  ///   - isMeant: the picture is meant to be another and is not kept.
  public func difference(from picture: VideoFrame, exceptRows rows: [ClosedRange<Int>] = [], isMeant: Bool = false)
    throws -> String?
  {
    let longest = max(picture.width, picture.height)
    let (width, height) = (
      picture.width * Self.longestSide / longest & ~1, picture.height * Self.longestSide / longest & ~1
    )
    let seen = VideoScaler().scale(picture, width: width, height: height)
    if Self.isStoring {
      try PNGFile.write(seen, to: path)
      return nil
    }
    let stored = try PNGFile.read(path)
    guard stored.width == width, stored.height == height else {
      return "\(width)x\(height) instead of \(stored.width)x\(stored.height)"
    }
    guard let text = Self.difference(seen, stored, rows) else { return nil }
    if isMeant { return text }
    try PNGFile.write(seen, to: failed)
    return "\(text); see \(failed) beside \(path)"
  }

  private static func difference(
    _ seen: VideoFrame, _ stored: VideoFrame, _ exceptRows: [ClosedRange<Int>]
  ) -> String? {
    var differing: [String] = []
    for y in stride(from: 0, to: seen.height, by: square) {
      let rows = y * 1_000 / seen.height...(y + square) * 1_000 / seen.height
      if exceptRows.contains(where: { $0.overlaps(rows) }) { continue }
      for x in stride(from: 0, to: seen.width, by: square) {
        let (found, wanted) = (mean(seen, x, y), mean(stored, x, y))
        guard zip(found, wanted).contains(where: { abs($0 - $1) > tolerance }) else { continue }
        differing.append("\(found) instead of \(wanted) at \(x), \(y)")
      }
    }
    return differing.first.map { "\(differing.count) squares differ: \($0)" }
  }

  /// Means of luma and both chromas over a square.
  private static func mean(_ frame: VideoFrame, _ x: Int, _ y: Int) -> [Int] {
    func mean(_ plane: UnsafeMutablePointer<UInt8>, _ stride: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> Int {
      let sum = rows.reduce(0) { sum, row in columns.reduce(sum) { $0 + Int(plane[row * stride + $1]) } }
      return sum / max(1, columns.count * rows.count)
    }
    let (right, bottom) = (min(frame.width, x + square), min(frame.height, y + square))
    let (columns, rows) = (x / 2..<max(x / 2 + 1, right / 2), y / 2..<max(y / 2 + 1, bottom / 2))
    return [
      mean(frame.planeY, frame.strideY, x..<right, y..<bottom), mean(frame.planeU, frame.strideUV, columns, rows),
      mean(frame.planeV, frame.strideUV, columns, rows),
    ]
  }
}
