/// The layouts of pictures that are taken from cameras, the cheapest to convert first.
enum CameraPixelFormat: String, CaseIterable {
  // Raw values are the four characters that V4L2 knows them by; those without are marked by `converted`.

  /// I420 itself.
  case yuv420 = "YU12"
  /// The same with Cr before Cb.
  case yvu420 = "YV12"
  /// Luma, then both chroma planes interleaved.
  case nv12 = "NV12"
  /// The same with Cr before Cb.
  case nv21 = "NV21"
  /// Packed 4:2:2.
  case yuyv = "YUYV"
  case uyvy = "UYVY"
  case yvyu = "YVYU"
  case vyuy = "VYUY"
  /// Planar 4:2:2.
  case yuv422 = "422P"
  /// Luma only.
  case grey = "GREY"
  /// Bytes in the order red, green, blue.
  case rgb24 = "RGB3"
  /// Bytes in the order blue, green, red.
  case bgr24 = "BGR3"
  /// Four bytes a pixel; the names say their order in memory, x is unused.
  case bgrx = "XR24"
  case bgra = "AR24"
  case xrgb = "BX24"
  case argb = "BA24"
  case rgbx = "XB24"
  case rgba = "AB24"
  case rgb565 = "RGBP"
  /// JPEG pictures, one by one.
  case motionJPEG = "MJPG"
  case jpeg = "JPEG"
  /// Whatever libv4l2 can turn into I420.
  case converted = "any"

  /// The V4L2 code of what is asked for.
  var code: UInt32 { self == .converted ? Self.code(of: "YU12") : Self.code(of: rawValue) }

  /// The layout with this code.
  init?(code: UInt32) {
    guard let format = Self.allCases.first(where: { $0 != .converted && $0.code == code }) else { return nil }
    self = format
  }

  var isCompressed: Bool { self == .motionJPEG || self == .jpeg }

  /// Bytes that a line of the first plane takes at least. Where two pixels share their colour, a last one alone has its own.
  func shortestLine(width: Int) -> Int {
    let even = (width + 1) & ~1
    switch self {
    case .yuv420, .yvu420, .converted, .nv12, .nv21, .yuv422: return even
    case .yuyv, .uyvy, .yvyu, .vyuy: return even * 2
    case .rgb565: return width * 2
    case .rgb24, .bgr24: return width * 3
    case .bgrx, .bgra, .xrgb, .argb, .rgbx, .rgba: return width * 4
    case .grey, .motionJPEG, .jpeg: return width
    }
  }

  /// Bytes that a picture takes with lines of `bytesPerLine`; 0 where that depends on the picture.
  func byteCount(bytesPerLine: Int, height: Int) -> Int {
    switch self {
    case .yuv420, .yvu420, .converted: return bytesPerLine * height + bytesPerLine / 2 * ((height + 1) / 2) * 2
    case .nv12, .nv21: return bytesPerLine * (height + (height + 1) / 2)
    case .yuv422: return bytesPerLine * height + bytesPerLine / 2 * height * 2
    case .motionJPEG, .jpeg: return 0
    default: return bytesPerLine * height
    }
  }

  /// Four characters as one number, the first in its lowest byte.
  static func code(of name: String) -> UInt32 {
    name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The four characters of a code, without spaces at its end.
  static func name(of code: UInt32) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> ($0 * 8)) & 0x7F }
    let name = String(decoding: bytes.map { $0 < 32 ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    return String(name.reversed().drop { $0 == " " }.reversed())
  }
}
