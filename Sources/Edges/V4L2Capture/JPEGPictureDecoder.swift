import CTurboJPEG
import CYUV
import MediaBase

/// Turns the JPEG pictures of a camera into frames (libturbojpeg). Used by one thread.
final class JPEGPictureDecoder {
  private let decoder: tjhandle?
  private var scratch: [UInt8] = []

  init() { decoder = tjInitDecompress() }

  deinit { if let decoder { tjDestroy(decoder) } }

  /// A picture of the size that the JPEG says, or `nil` if there is none in it, or one larger than a camera has promised.
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, largest: (width: Int, height: Int), time: MediaInstant, pool: VideoFramePool
  ) -> VideoFrame? {
    guard let decoder, let start = bytes.baseAddress else { return nil }
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let size = UInt(bytes.count)
    guard tjDecompressHeader3(decoder, start, size, &width, &height, &sampling, &space) == 0 else { return nil }
    guard width > 0, height > 0, width <= largest.width, height <= largest.height else { return nil }
    let frame = pool.frame(width: Int(width), height: Int(height), captureTime: time)
    let isYUV = space == Int32(TJCS_YCbCr.rawValue)
    switch sampling {
    case Int32(TJSAMP_420.rawValue) where isYUV:
      return decode420(start, size, into: frame) ? frame : nil
    case Int32(TJSAMP_422.rawValue) where isYUV:
      return decode422(start, size, into: frame) ? frame : nil
    default:
      return decodePixels(start, size, into: frame) ? frame : nil
    }
  }

  /// Cameras often send a picture with a byte missing at its end; the library says so and shows what is there.
  private func isUsable(_ status: Int32) -> Bool {
    status == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
  }

  private func decode420(_ start: UnsafePointer<UInt8>, _ size: UInt, into frame: VideoFrame) -> Bool {
    var planes: [UnsafeMutablePointer<UInt8>?] = [frame.planeY, frame.planeU, frame.planeV]
    var strides = [Int32(frame.strideY), Int32(frame.strideUV), Int32(frame.strideUV)]
    guard isUsable(tjDecompressToYUVPlanes(decoder, start, size, &planes, 0, &strides, 0, 0)) else { return false }
    CameraColour(isFullRange: true).standardize(frame, scratch: &scratch)
    return true
  }

  private func decode422(_ start: UnsafePointer<UInt8>, _ size: UInt, into frame: VideoFrame) -> Bool {
    let chroma = frame.strideUV * frame.height
    let luma = frame.strideY * frame.height
    reserve(luma + 2 * chroma)
    let isDecoded = scratch.withUnsafeMutableBufferPointer { memory -> Bool in
      guard let base = memory.baseAddress else { return false }
      let (planeU, planeV) = (base + luma, base + luma + chroma)
      var planes: [UnsafeMutablePointer<UInt8>?] = [base, planeU, planeV]
      var strides = [Int32(frame.strideY), Int32(frame.strideUV), Int32(frame.strideUV)]
      guard isUsable(tjDecompressToYUVPlanes(decoder, start, size, &planes, 0, &strides, 0, 0)) else { return false }
      I422ToI420(
        base, strides[0], planeU, strides[1], planeV, strides[2], frame.planeY, strides[0], frame.planeU, strides[1],
        frame.planeV, strides[2], Int32(frame.width), Int32(frame.height))
      return true
    }
    if isDecoded { CameraColour(isFullRange: true).standardize(frame, scratch: &scratch) }
    return isDecoded
  }

  /// Rare samplings and colour spaces, by way of pixels.
  private func decodePixels(_ start: UnsafePointer<UInt8>, _ size: UInt, into frame: VideoFrame) -> Bool {
    let line = Int32(frame.width * 4)
    reserve(frame.width * 4 * frame.height)
    return scratch.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return false }
      let status = tjDecompress2(
        decoder, start, size, base, Int32(frame.width), line, Int32(frame.height), Int32(TJPF_BGRX.rawValue), 0)
      guard isUsable(status) else { return false }
      ARGBToI420(
        base, line, frame.planeY, Int32(frame.strideY), frame.planeU, Int32(frame.strideUV), frame.planeV,
        Int32(frame.strideUV), Int32(frame.width), Int32(frame.height))
      return true
    }
  }

  private func reserve(_ count: Int) {
    if scratch.count < count { scratch = [UInt8](repeating: 0, count: count) }
  }
}
