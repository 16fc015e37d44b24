import MediaBase

/// A time burnt into a picture, so that what comes out at the far end says when it went in.
///
/// Two rows of 40 black and white cells across the top carry 48 bits of microseconds and a CRC-32 over them. The cells keep
/// their places relative to the picture's size: they can be read after lossy coding and after scaling to any size from
/// 160x90 up. What is damaged too much reads as nothing, not as a wrong time.
public enum FrameClock {
  private static let columns = 40
  private static let rows = 2
  /// The height of a row is this part of the picture's height: 16 of 360 lines, one row of macroblocks.
  private static let rowHeight = (numerator: 2, denominator: 45)
  private static let black: UInt8 = 16
  private static let white: UInt8 = 235
  private static let timeMask: UInt64 = 1 << 48 - 1
  /// No picture smaller than this carries a clock: its cells would have less than 2x2 pixels.
  private static let smallest = (width: 80, height: 45)

  /// Writes `time`, rounded down to a microsecond, across the top of the picture. Times are from 0 to 2^48 microseconds
  /// (almost 9 years). Pictures below 80x45 are left as they are.
  public static func draw(_ time: MediaInstant, on frame: VideoFrame) {
    guard frame.width >= smallest.width, frame.height >= smallest.height else { return }
    let microseconds = UInt64(truncatingIfNeeded: max(0, time.nanoseconds) / 1_000) & timeMask
    let checksum = CRC32.checksum(of: microseconds)
    for row in 0..<rows {
      let top = rowStart(row, frame.height)
      let line = frame.planeY + top * frame.strideY
      for column in 0..<columns {
        let isWhite = bit(row * columns + column, microseconds, checksum)
        let (start, end) = (columnStart(column, frame.width), columnStart(column + 1, frame.width))
        (line + start).update(repeating: isWhite ? white : black, count: end - start)
      }
      for y in (top + 1)..<rowStart(row + 1, frame.height) {
        (frame.planeY + y * frame.strideY).update(from: line, count: frame.width)
      }
    }
    let chromaRows = (rowStart(rows, frame.height) + 1) / 2
    for y in 0..<chromaRows {
      (frame.planeU + y * frame.strideUV).update(repeating: 128, count: frame.chromaWidth)
      (frame.planeV + y * frame.strideUV).update(repeating: 128, count: frame.chromaWidth)
    }
  }

  /// The time that was drawn on the picture, in whole microseconds; `nil` if there is none or it cannot be trusted.
  public static func read(_ frame: VideoFrame) -> MediaInstant? {
    guard frame.width >= smallest.width, frame.height >= smallest.height else { return nil }
    var microseconds: UInt64 = 0
    var checksum: UInt32 = 0
    for row in 0..<rows {
      for column in 0..<columns {
        let isWhite = readCell(row, column, frame)
        if row * columns + column < 48 {
          microseconds = microseconds << 1 | (isWhite ? 1 : 0)
        } else {
          checksum = checksum << 1 | (isWhite ? 1 : 0)
        }
      }
    }
    guard checksum == CRC32.checksum(of: microseconds) else { return nil }
    return MediaInstant(nanoseconds: Int64(microseconds) * 1_000)
  }

  /// The cell's colour, by the middle of it: its edges run into its neighbours when the picture is coded or scaled.
  private static func readCell(_ row: Int, _ column: Int, _ frame: VideoFrame) -> Bool {
    let (left, right) = middle(columnStart(column, frame.width), columnStart(column + 1, frame.width))
    let (top, bottom) = middle(rowStart(row, frame.height), rowStart(row + 1, frame.height))
    var sum = 0
    for y in top..<bottom {
      let line = frame.planeY + y * frame.strideY
      for x in left..<right { sum += Int(line[x]) }
    }
    return sum > (Int(black) + Int(white)) / 2 * (right - left) * (bottom - top)
  }

  private static func middle(_ start: Int, _ end: Int) -> (Int, Int) {
    let margin = (end - start) / 4
    return (start + margin, end - margin)
  }

  private static func bit(_ index: Int, _ microseconds: UInt64, _ checksum: UInt32) -> Bool {
    index < 48 ? microseconds >> UInt64(47 - index) & 1 == 1 : checksum >> UInt32(79 - index) & 1 == 1
  }

  private static func columnStart(_ column: Int, _ width: Int) -> Int { (column * width + columns / 2) / columns }

  private static func rowStart(_ row: Int, _ height: Int) -> Int {
    (row * height * rowHeight.numerator + rowHeight.denominator / 2) / rowHeight.denominator
  }
}
