import CYUV
import MediaBase

extension CameraHandle {
  /// Turns the picture in a buffer into a frame from `pool`; `nil` if the buffer holds less than a picture.
  func picture(index: UInt32, byteCount: Int, time: MediaInstant, pool: VideoFramePool) -> VideoFrame? {
    let buffer = buffers[Int(index)]
    guard byteCount >= pictureSize, buffer.length >= pictureSize else { return nil }
    let frame = pool.frame(width: width, height: height, captureTime: time)
    let source = buffer.memory.assumingMemoryBound(to: UInt8.self)
    let (width, height) = (Int32(width), Int32(height))
    let (strideY, strideUV) = (Int32(frame.strideY), Int32(frame.strideUV))
    let line = Int32(bytesPerLine)
    switch format {
    case .yuyv:
      YUY2ToI420(
        source, line, frame.planeY, strideY, frame.planeU, strideUV, frame.planeV, strideUV, width, height)
    case .nv12:
      NV12ToI420(
        source, line, source + bytesPerLine * self.height, line, frame.planeY, strideY, frame.planeU, strideUV,
        frame.planeV, strideUV, width, height)
    case .yuv420, .motionJPEG:
      let planeU = source + bytesPerLine * self.height
      let chromaLine = bytesPerLine / 2
      I420Copy(
        source, line, planeU, Int32(chromaLine), planeU + chromaLine * ((self.height + 1) / 2), Int32(chromaLine),
        frame.planeY, strideY, frame.planeU, strideUV, frame.planeV, strideUV, width, height)
    }
    return frame
  }

  /// Bytes that a whole picture takes, by the driver's line length.
  private var pictureSize: Int {
    switch format {
    case .yuyv: return bytesPerLine * height
    case .nv12: return bytesPerLine * (height + (height + 1) / 2)
    case .yuv420, .motionJPEG: return bytesPerLine * height + bytesPerLine / 2 * ((height + 1) / 2) * 2
    }
  }
}
