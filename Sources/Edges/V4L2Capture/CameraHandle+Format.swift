import CDeviceShims
import CV4L2
import MediaBase

extension CameraHandle {
  /// Sets the mode that comes nearest to `wanted`, among those with one of `layouts`.
  func configure(
    _ wanted: VideoCaptureFormat, layouts: [CameraPixelFormat] = CameraPixelFormat.allCases
  ) throws(MediaDeviceError) {
    let modes = CameraCapabilities(self).modes(near: wanted, layouts: layouts)
    // A camera with none of the known layouts: libv4l2 knows more of them and offers them as I420.
    let mode =
      CameraMode.best(of: modes, for: wanted)
      ?? CameraMode(format: .converted, width: wanted.width, height: wanted.height, highestRate: nil)
    if mode.format == .converted { useLibrary() }
    var request = pictureFormat(mode.format.code, mode.width, mode.height)
    let status = self.request(cds_VIDIOC_S_FMT, &request)
    guard status == 0 else { throw error(status, "setting the format") }
    let picture = request.fmt.pix
    guard picture.pixelformat == mode.format.code else {
      throw .unsupportedFormat(name: title, detail: "it has no format that can be turned into I420")
    }
    try take(picture, as: mode.format)
    setRate(wanted.frameRate)
  }

  /// Takes over what the driver has made of a wish. Drivers have been seen to promise lines shorter than a picture is wide.
  private func take(_ picture: v4l2_pix_format, as format: CameraPixelFormat) throws(MediaDeviceError) {
    guard (1...16_384).contains(picture.width), (1...16_384).contains(picture.height) else {
      throw .unsupportedFormat(name: title, detail: "its pictures are \(picture.width) by \(picture.height) pixels")
    }
    let shortest = format.shortestLine(width: Int(picture.width))
    guard picture.bytesperline <= 1 << 20, format.isCompressed || Int(picture.bytesperline) >= shortest else {
      throw .unsupportedFormat(
        name: title, detail: "it says that \(picture.width) pixels take \(picture.bytesperline) bytes")
    }
    self.format = format
    colour = format == .converted ? .standard : CameraColour(picture)
    width = Int(picture.width)
    height = Int(picture.height)
    bytesPerLine = Int(picture.bytesperline)
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
