import CYUV
import MediaBase

/// Brings pictures to another size, smoothly (each pixel of a smaller picture is the mean of what it covers). Keeps memory
/// for one size; used by one thread at a time.
public final class VideoScaler {
  private let pool = VideoFramePool()

  /// Makes a scaler.
  public init() {}

  /// The whole picture in another size, of 1 to 16,384 pixels a side; the frame itself if it has that size already.
  public func scale(_ frame: VideoFrame, width: Int, height: Int) -> VideoFrame {
    guard width != frame.width || height != frame.height else { return frame }
    return scale(
      frame, left: 0, top: 0, croppedWidth: frame.width, croppedHeight: frame.height, width: width, height: height)
  }

  /// As much of the middle of the picture as has the shape of the new size, in that size: nothing is distorted, and no edge
  /// stays empty.
  public func fill(_ frame: VideoFrame, width: Int, height: Int) -> VideoFrame {
    guard width != frame.width || height != frame.height, width > 0, height > 0 else { return frame }
    var (croppedWidth, croppedHeight) = (frame.width, frame.height)
    if frame.width * height > frame.height * width {
      croppedWidth = max(1, frame.height * width / height)
    } else {
      croppedHeight = max(1, frame.width * height / width)
    }
    // Even, so that luma and chroma stay together.
    let left = (frame.width - croppedWidth) / 2 & ~1
    let top = (frame.height - croppedHeight) / 2 & ~1
    return scale(
      frame, left: left, top: top, croppedWidth: croppedWidth, croppedHeight: croppedHeight, width: width,
      height: height)
  }

  private func scale(
    _ frame: VideoFrame, left: Int, top: Int, croppedWidth: Int, croppedHeight: Int, width: Int, height: Int
  ) -> VideoFrame {
    let sides = 1...16_384
    guard sides.contains(width), sides.contains(height) else { return frame }
    let scaled = pool.frame(width: width, height: height, captureTime: frame.captureTime)
    scaled.rotation = frame.rotation
    // The library sums up rows in 16 bits, which is not enough for more than 256 of them.
    let filter = croppedHeight / height < 256 ? kFilterBox : kFilterNone
    let chroma = top / 2 * frame.strideUV + left / 2
    I420Scale(
      frame.planeY + top * frame.strideY + left, Int32(frame.strideY),
      frame.planeU + chroma, Int32(frame.strideUV), frame.planeV + chroma, Int32(frame.strideUV),
      Int32(croppedWidth), Int32(croppedHeight),
      scaled.planeY, Int32(scaled.strideY), scaled.planeU, Int32(scaled.strideUV), scaled.planeV,
      Int32(scaled.strideUV), Int32(width), Int32(height), filter)
    return scaled
  }
}
