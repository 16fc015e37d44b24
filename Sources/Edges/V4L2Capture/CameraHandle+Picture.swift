import CYUV
import MediaBase

extension CameraHandle {
  /// Turns the picture in a buffer into a frame from `pool`; `nil` if the buffer holds less than a picture.
  func picture(index: UInt32, byteCount: Int, time: MediaInstant, pool: VideoFramePool) -> VideoFrame? {
    let buffer = buffers[Int(index)]
    let source = buffer.memory.assumingMemoryBound(to: UInt8.self)
    if format.isCompressed {
      let bytes = UnsafeBufferPointer(start: source, count: min(max(0, byteCount), buffer.length))
      return decoder.decode(bytes, largest: (width, height), time: time, pool: pool)
    }
    let needed = format.byteCount(bytesPerLine: bytesPerLine, height: height)
    guard byteCount >= needed, buffer.length >= needed else { return nil }
    let frame = pool.frame(width: width, height: height, captureTime: time)
    convert(source, into: frame)
    if !format.isRGB { colour.standardize(frame, scratch: &scratch) }
    return frame
  }

  private func convert(_ source: UnsafeMutablePointer<UInt8>, into frame: VideoFrame) {
    let (width, height) = (Int32(width), Int32(height))
    let (strideY, strideUV) = (Int32(frame.strideY), Int32(frame.strideUV))
    let (planeY, planeU, planeV) = (frame.planeY, frame.planeU, frame.planeV)
    let (line, halfLine) = (Int32(bytesPerLine), Int32(bytesPerLine / 2))
    let second = source + bytesPerLine * self.height
    if let packed = format.packedConversion {
      // With Cr before Cb, the planes change places.
      let (firstChroma, secondChroma) = format.hasSwappedChroma ? (planeV, planeU) : (planeU, planeV)
      _ = packed(source, line, planeY, strideY, firstChroma, strideUV, secondChroma, strideUV, width, height)
      return
    }
    switch format {
    case .nv12:
      NV12ToI420(source, line, second, line, planeY, strideY, planeU, strideUV, planeV, strideUV, width, height)
    case .nv21:
      NV21ToI420(source, line, second, line, planeY, strideY, planeU, strideUV, planeV, strideUV, width, height)
    case .yuv422:
      let third = second + bytesPerLine / 2 * self.height
      I422ToI420(
        source, line, second, halfLine, third, halfLine, planeY, strideY, planeU, strideUV, planeV, strideUV, width,
        height)
    case .grey:
      I400ToI420(source, line, planeY, strideY, planeU, strideUV, planeV, strideUV, width, height)
    default:
      let third = second + bytesPerLine / 2 * ((self.height + 1) / 2)
      let (sourceU, sourceV) = format == .yvu420 ? (third, second) : (second, third)
      I420Copy(
        source, line, sourceU, halfLine, sourceV, halfLine, planeY, strideY, planeU, strideUV, planeV, strideUV, width,
        height)
    }
  }
}

extension CameraPixelFormat {
  /// A function of libyuv that turns one packed plane into I420.
  typealias PackedConversion = (
    UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32,
    UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32
  ) -> Int32

  /// Names of libyuv are those of little-endian words: its ARGB has blue in the first byte.
  fileprivate var packedConversion: PackedConversion? {
    switch self {
    case .yuyv, .yvyu: return YUY2ToI420
    case .uyvy, .vyuy: return UYVYToI420
    case .rgb24: return RAWToI420
    case .bgr24: return RGB24ToI420
    case .bgrx, .bgra: return ARGBToI420
    case .xrgb, .argb: return BGRAToI420
    case .rgbx, .rgba: return ABGRToI420
    case .rgb565: return RGB565ToI420
    default: return nil
    }
  }

  fileprivate var hasSwappedChroma: Bool { self == .yvyu || self == .vyuy }

  fileprivate var isRGB: Bool {
    switch self {
    case .rgb24, .bgr24, .bgrx, .bgra, .xrgb, .argb, .rgbx, .rgba, .rgb565: return true
    default: return false
    }
  }
}
