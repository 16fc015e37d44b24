/// The first line of a YUV4MPEG2 file.
public struct Y4MHeader: Hashable, Sendable {
  /// Width in pixels, 1...16,384.
  public let width: Int
  /// Height in pixels, 1...16,384.
  public let height: Int
  /// Pictures in `frameRateDenominator` seconds, 1...1,000,000.
  public let frameRateNumerator: Int
  /// Seconds, 1...1,000,000.
  public let frameRateDenominator: Int

  /// Lines longer than this are no headers.
  static let longestLine = 1_024
  private static let sides = 1...16_384
  private static let rateParts = 1...1_000_000

  /// Bytes of one picture after its FRAME line.
  var frameByteCount: Int { width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2) }

  /// A header for new files.
  init(width: Int, height: Int, frameRate: Int) throws(MediaFormatError) {
    guard Self.sides.contains(width), Self.sides.contains(height) else {
      throw MediaFormatError("a size of \(width)x\(height) is outside 1x1 to 16384x16384")
    }
    guard Self.rateParts.contains(frameRate) else {
      throw MediaFormatError("a frame rate of \(frameRate) makes no sense")
    }
    self.width = width
    self.height = height
    frameRateNumerator = frameRate
    frameRateDenominator = 1
  }

  /// Reads the line, without its line feed. Any bytes are allowed.
  package init(parsing line: [UInt8]) throws(MediaFormatError) {
    let words = line.split(separator: UInt8(ascii: " "))
    guard let first = words.first, first.elementsEqual("YUV4MPEG2".utf8) else {
      throw MediaFormatError("it is not a Y4M file (it does not begin with YUV4MPEG2)")
    }
    var (width, height): (Int?, Int?) = (nil, nil)
    var rate = (numerator: 25, denominator: 1)
    for word in words.dropFirst() {
      let value = word.dropFirst()
      switch word.first {
      case UInt8(ascii: "W"): width = Self.number(value)
      case UInt8(ascii: "H"): height = Self.number(value)
      case UInt8(ascii: "F"): rate = try Self.rate(value)
      case UInt8(ascii: "C"): try Self.checkColorSpace(value)
      default: break
      }
    }
    guard let width, let height, Self.sides.contains(width), Self.sides.contains(height) else {
      throw MediaFormatError("its header names no size between 1x1 and 16384x16384")
    }
    self.width = width
    self.height = height
    (frameRateNumerator, frameRateDenominator) = rate
  }

  /// The line, with its line feed.
  var line: [UInt8] {
    Array("YUV4MPEG2 W\(width) H\(height) F\(frameRateNumerator):\(frameRateDenominator) Ip A1:1 C420jpeg\n".utf8)
  }

  private static func rate(_ text: ArraySlice<UInt8>) throws(MediaFormatError) -> (Int, Int) {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = number(parts[0]), let denominator = number(parts[1]) else {
      throw MediaFormatError("its header has a damaged frame rate")
    }
    // 0:0 stands for "unknown".
    if numerator == 0 { return (25, 1) }
    guard rateParts.contains(numerator), rateParts.contains(denominator), numerator / denominator <= 1_000 else {
      throw MediaFormatError("its frame rate of \(numerator):\(denominator) makes no sense")
    }
    return (numerator, denominator)
  }

  private static func checkColorSpace(_ text: ArraySlice<UInt8>) throws(MediaFormatError) {
    let name = String(decoding: text.prefix(32), as: UTF8.self)
    guard ["420", "420jpeg", "420mpeg2", "420paldv"].contains(name) else {
      throw MediaFormatError("its pixels are in the format \(name); convert it to 8-bit 4:2:0 (yuv420p)")
    }
  }

  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(text.count) else { return nil }
    var value = 0
    for digit in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
