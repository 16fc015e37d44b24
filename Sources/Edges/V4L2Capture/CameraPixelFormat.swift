import CDeviceShims

/// The layouts of pictures that are taken from cameras, the cheapest to convert first.
enum CameraPixelFormat: CaseIterable {
  /// I420 itself.
  case yuv420
  /// Luma, then both chroma planes interleaved.
  case nv12
  /// Packed 4:2:2.
  case yuyv
  /// JPEG pictures, which libv4l2 turns into I420.
  case motionJPEG

  /// The V4L2 code of what the camera sends.
  var nativeCode: UInt32 {
    switch self {
    case .yuv420: return cds_V4L2_PIX_FMT_YUV420
    case .nv12: return cds_V4L2_PIX_FMT_NV12
    case .yuyv: return cds_V4L2_PIX_FMT_YUYV
    case .motionJPEG: return cds_V4L2_PIX_FMT_MJPEG
    }
  }

  /// The V4L2 code of what is asked for.
  var requestedCode: UInt32 { self == .motionJPEG ? cds_V4L2_PIX_FMT_YUV420 : nativeCode }
}
