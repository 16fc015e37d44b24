import CTurboJPEG
import Glibc
import MediaBase
import Synchronization

/// Pictures as baseline JPEG files (ITU-T T.81, T.871; libturbojpeg) with chroma of half the size each way.
package enum JPEGFile {
  private static let writes = Atomic<UInt64>(0)

  /// Writes the picture, turned by its `rotation`. The file appears all at once.
  package static func write(_ frame: VideoFrame, to path: String, quality: Int = 90) throws(MediaDeviceError) {
    let number = writes.wrappingAdd(1, ordering: .relaxed).newValue
    let temporary = "\(path).\(getpid())-\(number).part"
    let bytes = try encode(frame, quality: quality)
    do throws(MediaDeviceError) {
      let file = try StoredFile(writing: temporary)
      try file.write(bytes)
      try file.close()
      if rename(temporary, path) != 0 { throw StoredFile.error(path, "putting the new picture in its place", errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The picture as the bytes of a JPEG file, turned by its `rotation`.
  ///
  /// - Parameter quality: 1 (small) to 100 (good).
  package static func encode(_ frame: VideoFrame, quality: Int = 90) throws(MediaDeviceError) -> [UInt8] {
    let picture = fullRange(frame.upright())
    guard let encoder = tjInitCompress() else { throw failed(nil) }
    defer { tjDestroy(encoder) }
    var planes: [UnsafePointer<UInt8>?] = [
      UnsafePointer(picture.planeY), UnsafePointer(picture.planeU), UnsafePointer(picture.planeV),
    ]
    let strides = [Int32(picture.strideY), Int32(picture.strideUV), Int32(picture.strideUV)]
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let status = tjCompressFromYUVPlanes(
      encoder, &planes, Int32(picture.width), strides, Int32(picture.height), Int32(TJSAMP_420.rawValue), &bytes,
      &count, Int32(min(100, max(1, quality))), TJFLAG_ACCURATEDCT)
    guard status == 0, let bytes else { throw failed(encoder) }
    return withExtendedLifetime(picture) { [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count))) }
  }

  private static func failed(_ encoder: tjhandle?) -> MediaDeviceError {
    .system(
      name: "the JPEG encoder", operation: "encoding a picture", code: 0,
      detail: String(cString: tjGetErrorStr2(encoder)))
  }

  /// A copy with its samples brought from the limited range of video to the full one of JPEG (T.871).
  private static func fullRange(_ frame: VideoFrame) -> VideoFrame {
    let full = VideoFrame(width: frame.width, height: frame.height, captureTime: frame.captureTime)
    let luma = (0...255).map { UInt8(clamping: (($0 - 16) * 255 + 109).floorDivided(by: 219)) }
    let chroma = (0...255).map { UInt8(clamping: (($0 - 128) * 255 + 112).floorDivided(by: 224) + 128) }
    convert(frame.planeY, to: full.planeY, full.strideY, width: full.width, height: full.height, by: luma)
    for (source, target) in [(frame.planeU, full.planeU), (frame.planeV, full.planeV)] {
      convert(source, to: target, full.strideUV, width: full.chromaWidth, height: full.chromaHeight, by: chroma)
    }
    return full
  }

  /// Frames of one size have one stride.
  private static func convert(
    _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ stride: Int, width: Int, height: Int,
    by table: [UInt8]
  ) {
    for y in 0..<height {
      for x in 0..<width { target[y * stride + x] = table[Int(source[y * stride + x])] }
    }
  }
}

extension Int {
  /// The quotient towards minus infinity.
  fileprivate func floorDivided(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
