import CPNG
import CYUV
import Glibc
import MediaBase
import Synchronization

/// Pictures in PNG files.
public enum PNGFile {
  /// No side may be longer.
  private static let largestSide = 16_384
  /// Nor may a picture that is read have more pixels: what a small file unfolds to stays bounded.
  private static let mostPixels = 64 << 20
  private static let channels = 3
  private static let writes = Atomic<UInt64>(0)

  /// Writes the picture, turned by its `rotation`. The file appears all at once: whoever reads it meanwhile sees the old
  /// one or the new one.
  public static func write(_ frame: VideoFrame, to path: String) throws(MediaDeviceError) {
    let picture = frame.upright()
    var pixels = [UInt8](repeating: 0, count: picture.width * picture.height * channels)
    I420ToRAW(
      picture.planeY, Int32(picture.strideY), picture.planeU, Int32(picture.strideUV), picture.planeV,
      Int32(picture.strideUV), &pixels, Int32(picture.width * channels), Int32(picture.width), Int32(picture.height))
    let number = writes.wrappingAdd(1, ordering: .relaxed).newValue
    let temporary = "\(path).\(getpid())-\(number).part"
    do throws(MediaDeviceError) {
      try write(pixels, width: picture.width, height: picture.height, to: temporary)
      if rename(temporary, path) != 0 { throw StoredFile.error(path, "putting the new picture in its place", errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Reads a picture; transparent parts become black.
  public static func read(_ path: String) throws(MediaDeviceError) -> VideoFrame {
    let file = try StoredFile(reading: path)
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    guard png_image_begin_read_from_stdio(&image, file.handle) != 0 else { throw unreadable(path, image) }
    let (width, height) = (Int(image.width), Int(image.height))
    guard (1...largestSide).contains(width), (1...largestSide).contains(height), width * height <= mostPixels else {
      throw .unsupportedFormat(name: path, detail: "its picture of \(width)x\(height) pixels is too large")
    }
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    var pixels = [UInt8](repeating: 0, count: width * height * channels)
    var background = png_color()
    guard png_image_finish_read(&image, &background, &pixels, png_int_32(width * channels), nil) != 0 else {
      throw unreadable(path, image)
    }
    let frame = VideoFrame(width: width, height: height)
    RAWToI420(
      pixels, Int32(width * channels), frame.planeY, Int32(frame.strideY), frame.planeU, Int32(frame.strideUV),
      frame.planeV, Int32(frame.strideUV), Int32(width), Int32(height))
    return frame
  }

  private static func write(
    _ pixels: [UInt8], width: Int, height: Int, to path: String
  ) throws(MediaDeviceError) {
    let file = try StoredFile(writing: path)
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
    image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
    errno = 0
    guard png_image_write_to_stdio(&image, file.handle, 0, pixels, png_int_32(width * channels), nil) != 0 else {
      let code = errno
      if code != 0 { throw StoredFile.error(path, "writing", code) }
      throw .system(name: path, operation: "writing", code: code, detail: message(of: image))
    }
    try file.close()
  }

  private static func unreadable(_ path: String, _ image: png_image) -> MediaDeviceError {
    .unsupportedFormat(name: path, detail: "it is not a whole PNG picture (\(message(of: image)))")
  }

  private static func message(of image: png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
