import CDeviceShims
import CV4L2
import MediaBase

extension CameraHandle {
  /// Sets the mode that comes nearest to `wanted` among `layouts`.
  func configure(
    _ wanted: VideoCaptureFormat, layouts: [CameraPixelFormat] = CameraPixelFormat.allCases
  ) throws(MediaDeviceError) {
    let native = nativeFormats
    let modes = layouts.filter { native.contains($0.nativeCode) }.compactMap { tryMode($0, wanted) }
    // A camera with none of the known layouts: libv4l2 knows many more and offers them as I420.
    let mode =
      CameraMode.best(of: modes, for: wanted)
      ?? CameraMode(format: .motionJPEG, width: wanted.width, height: wanted.height, highestRate: nil)
    var request = pictureFormat(mode.format.requestedCode, mode.width, mode.height)
    let status = self.request(cds_VIDIOC_S_FMT, &request)
    guard status == 0 else { throw error(status, "setting the format") }
    let picture = request.fmt.pix
    guard picture.pixelformat == mode.format.requestedCode else {
      throw .unsupportedFormat(name: title, detail: "it has no format that can be turned into I420")
    }
    guard (1...16_384).contains(picture.width), (1...16_384).contains(picture.height) else {
      throw .unsupportedFormat(name: title, detail: "its pictures are \(picture.width) by \(picture.height) pixels")
    }
    format = mode.format
    width = Int(picture.width)
    height = Int(picture.height)
    bytesPerLine = Int(picture.bytesperline)
    setRate(wanted.frameRate)
  }

  /// The codes of what the camera itself sends.
  private var nativeFormats: [UInt32] {
    var codes: [UInt32] = []
    var description = v4l2_fmtdesc()
    description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    while codes.count < 256, request(cds_VIDIOC_ENUM_FMT, &description) == 0 {
      if description.flags & UInt32(V4L2_FMT_FLAG_EMULATED) == 0 { codes.append(description.pixelformat) }
      description.index += 1
    }
    return codes
  }

  /// What the driver makes of a wish for this layout.
  private func tryMode(_ format: CameraPixelFormat, _ wanted: VideoCaptureFormat) -> CameraMode? {
    var attempt = pictureFormat(format.nativeCode, wanted.width, wanted.height)
    guard request(cds_VIDIOC_TRY_FMT, &attempt) == 0, attempt.fmt.pix.pixelformat == format.nativeCode else {
      return nil
    }
    let picture = attempt.fmt.pix
    return CameraMode(
      format: format, width: Int(picture.width), height: Int(picture.height), highestRate: highestRate(picture))
  }

  /// The highest rate that the driver lists for a format and size.
  private func highestRate(_ picture: v4l2_pix_format) -> Double? {
    var highest: Double?
    var interval = v4l2_frmivalenum()
    interval.pixel_format = picture.pixelformat
    interval.width = picture.width
    interval.height = picture.height
    while interval.index < 256, request(cds_VIDIOC_ENUM_FRAMEINTERVALS, &interval) == 0 {
      let isDiscrete = interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      let shortest = isDiscrete ? interval.discrete : interval.stepwise.min
      if shortest.numerator > 0 {
        highest = max(highest ?? 0, Double(shortest.denominator) / Double(shortest.numerator))
      }
      guard isDiscrete else { break }
      interval.index += 1
    }
    return highest
  }

  /// Not every camera lets its rate be set; frames carry their times, so that is no failure.
  private func setRate(_ frameRate: Int) {
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    parameters.parm.capture.timeperframe = v4l2_fract(
      numerator: 1, denominator: UInt32(clamping: max(1, frameRate)))
    _ = request(cds_VIDIOC_S_PARM, &parameters)
  }

  private func pictureFormat(_ code: UInt32, _ width: Int, _ height: Int) -> v4l2_format {
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    format.fmt.pix.width = UInt32(clamping: width)
    format.fmt.pix.height = UInt32(clamping: height)
    format.fmt.pix.pixelformat = code
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    return format
  }
}
