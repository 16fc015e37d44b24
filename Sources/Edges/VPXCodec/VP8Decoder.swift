import CCodecShims
import CVPX
import MediaBase

/// Turns VP8 data (RFC 6386) back into pictures. Used by one thread at a time.
///
/// Whatever the data is, nothing worse than an error happens. After an error the decoder takes nothing but a key frame.
public final class VP8Decoder {
  private let context: VPXContext
  private let pool = VideoFramePool()
  private let largestSide: Int
  private var hasKeyFrame = false

  /// Sets up a decoder that refuses pictures wider or higher than `largestSide` pixels.
  public init(largestSide: Int = 4_096) throws(VPXCodecError) {
    self.largestSide = largestSide
    var settings = vpx_codec_dec_cfg_t(threads: 1, w: 0, h: 0)
    context = try VPXContext(operation: "setting up a decoder") { greenroom_vp8_decoder_init($0, &settings) }
  }

  /// Decodes the next picture of the stream.
  ///
  /// - Returns: the picture with the `captureTime` of the data, or `nil` if this one is not meant to be shown.
  public func decode(_ encoded: EncodedVideoFrame) throws(VPXCodecError) -> VideoFrame? {
    do throws(VPXCodecError) {
      try check(encoded.data)
      return try decodeChecked(encoded)
    } catch {
      hasKeyFrame = false
      throw error
    }
  }

  /// Looks at the picture's first bytes (RFC 6386 section 9.1), so that the library never meets an absurd size.
  private func check(_ data: [UInt8]) throws(VPXCodecError) {
    guard data.count >= 3 else { throw .damagedData(detail: "it has \(data.count) bytes") }
    let isKeyFrame = data[0] & 1 == 0
    guard isKeyFrame else {
      if !hasKeyFrame { throw .keyFrameMissing }
      return
    }
    guard data.count >= 10, data[3] == 0x9D, data[4] == 0x01, data[5] == 0x2A else {
      throw .damagedData(detail: "the start of the key frame is wrong")
    }
    let width = (Int(data[7]) << 8 | Int(data[6])) & 0x3FFF
    let height = (Int(data[9]) << 8 | Int(data[8])) & 0x3FFF
    guard width > 0, height > 0 else { throw .damagedData(detail: "the key frame has no size") }
    guard width <= largestSide, height <= largestSide else { throw .pictureTooLarge(width: width, height: height) }
  }

  private func decodeChecked(_ encoded: EncodedVideoFrame) throws(VPXCodecError) -> VideoFrame? {
    let code = encoded.data.withUnsafeBufferPointer {
      vpx_codec_decode(context.raw, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count), nil, 0)
    }
    guard code == VPX_CODEC_OK else {
      let reason = context.detail ?? vpx_codec_err_to_string(code).map { String(cString: $0) }
      throw .damagedData(detail: reason ?? "error \(code.rawValue)")
    }
    var position: vpx_codec_iter_t?
    var picture: VideoFrame?
    while let image = vpx_codec_get_frame(context.raw, &position) {
      picture = copy(of: image, captureTime: encoded.captureTime) ?? picture
    }
    var corrupted: Int32 = 0
    if greenroom_vp8_decoder_is_corrupted(context.raw, &corrupted) == 0, corrupted != 0 {
      throw .damagedData(detail: "some of its blocks cannot be read")
    }
    hasKeyFrame = true
    return picture
  }

  private func copy(of image: UnsafeMutablePointer<vpx_image_t>, captureTime: MediaInstant) -> VideoFrame? {
    let (width, height) = (Int(image.pointee.d_w), Int(image.pointee.d_h))
    guard image.pointee.fmt == VPX_IMG_FMT_I420, (1...largestSide).contains(width), (1...largestSide).contains(height),
      let y = image.pointee.planes.0, let u = image.pointee.planes.1, let v = image.pointee.planes.2
    else { return nil }
    let frame = pool.frame(width: width, height: height, captureTime: captureTime)
    let (chromaWidth, chromaHeight) = (frame.chromaWidth, frame.chromaHeight)
    let strides = image.pointee.stride
    copyRows(y, Int(strides.0), to: frame.planeY, frame.strideY, width: width, height: height)
    copyRows(u, Int(strides.1), to: frame.planeU, frame.strideUV, width: chromaWidth, height: chromaHeight)
    copyRows(v, Int(strides.2), to: frame.planeV, frame.strideUV, width: chromaWidth, height: chromaHeight)
    return frame
  }

  private func copyRows(
    _ source: UnsafeMutablePointer<UInt8>, _ sourceStride: Int, to destination: UnsafeMutablePointer<UInt8>,
    _ destinationStride: Int, width: Int, height: Int
  ) {
    for row in 0..<height {
      (destination + row * destinationStride).update(from: source + row * sourceStride, count: width)
    }
  }
}
