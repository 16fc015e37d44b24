import CV4L2
import CYUV
import MediaBase

/// What the numbers of a YUV picture mean. Frames are BT.601 with limited range; anything else is brought to that.
struct CameraColour: Equatable {
  enum Matrix { case bt601, bt709, bt2020 }

  var matrix = Matrix.bt601
  var isFullRange = false

  /// Nothing to do.
  static let standard = CameraColour()

  init(matrix: Matrix = .bt601, isFullRange: Bool = false) {
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// What the driver says, with V4L2's defaults for what it leaves open.
  init(_ picture: v4l2_pix_format) {
    // Drivers from before these fields leave other things in them.
    let isExtended = picture.priv == 0xFEED_CAFE
    var encoding = isExtended ? picture.ycbcr_enc : V4L2_YCBCR_ENC_DEFAULT.rawValue
    let space = picture.colorspace
    if encoding == V4L2_YCBCR_ENC_DEFAULT.rawValue {
      switch space {
      case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue: encoding = V4L2_YCBCR_ENC_709.rawValue
      case V4L2_COLORSPACE_BT2020.rawValue: encoding = V4L2_YCBCR_ENC_BT2020.rawValue
      default: encoding = V4L2_YCBCR_ENC_601.rawValue
      }
    }
    switch encoding {
    case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: matrix = .bt709
    case V4L2_YCBCR_ENC_BT2020.rawValue, V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue: matrix = .bt2020
    default: matrix = .bt601
    }
    let quantization = isExtended ? picture.quantization : V4L2_QUANTIZATION_DEFAULT.rawValue
    switch quantization {
    case V4L2_QUANTIZATION_FULL_RANGE.rawValue: isFullRange = true
    case V4L2_QUANTIZATION_LIM_RANGE.rawValue: isFullRange = false
    default:
      // Grey pictures are no YCbCr to V4L2, and use all of a byte.
      isFullRange = space == V4L2_COLORSPACE_JPEG.rawValue || picture.pixelformat == CameraPixelFormat.grey.code
    }
  }

  /// Brings a picture with this meaning to BT.601 with limited range, in place. `scratch` keeps memory between pictures.
  func standardize(_ frame: VideoFrame, scratch: inout [UInt8]) {
    if isFullRange { limitRange(frame) }
    guard matrix != .bt601 else { return }
    let (width, height) = (Int32(frame.width), Int32(frame.height))
    let (strideY, strideUV) = (Int32(frame.strideY), Int32(frame.strideUV))
    let needed = frame.width * frame.height * 4
    if scratch.count < needed { scratch = [UInt8](repeating: 0, count: needed) }
    scratch.withUnsafeMutableBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      let toPixels = matrix == .bt709 ? H420ToARGB : U420ToARGB
      _ = toPixels(
        frame.planeY, strideY, frame.planeU, strideUV, frame.planeV, strideUV, pixels, width * 4, width, height)
      ARGBToI420(
        pixels, width * 4, frame.planeY, strideY, frame.planeU, strideUV, frame.planeV, strideUV, width, height)
    }
  }

  /// From 0...255 to 16...235 for luma and 16...240 for chroma.
  private func limitRange(_ frame: VideoFrame) {
    Self.scale(frame.planeY, frame.strideY * frame.height, factor: 56_284, offset: 16 << 16 | 0x8000)
    // (c - 128) * 224 / 255 + 128
    for plane in [frame.planeU, frame.planeV] {
      Self.scale(plane, frame.strideUV * frame.chromaHeight, factor: 57_569, offset: 128 << 16 | 0x8000, middle: 128)
    }
  }

  /// Fixed point with 16 bits behind the point, so that the compiler makes vector code of it.
  private static func scale(
    _ plane: UnsafeMutablePointer<UInt8>, _ count: Int, factor: Int32, offset: Int32, middle: Int32 = 0
  ) {
    for index in 0..<count {
      plane[index] = UInt8(truncatingIfNeeded: ((Int32(plane[index]) &- middle) &* factor &+ offset) >> 16)
    }
  }
}
