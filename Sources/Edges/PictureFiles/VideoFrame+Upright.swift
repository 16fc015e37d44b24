import CYUV
import MediaBase

extension VideoFrame {
  /// The picture turned by its `rotation`; the frame itself if that is 0 or no quarter turn.
  package func upright() -> VideoFrame {
    let mode: RotationMode
    switch rotation {
    case 90: mode = kRotate90
    case 180: mode = kRotate180
    case 270: mode = kRotate270
    default: return self
    }
    let swapsSides = rotation != 180
    let turned = VideoFrame(
      width: swapsSides ? height : width, height: swapsSides ? width : height, captureTime: captureTime)
    I420Rotate(
      planeY, Int32(strideY), planeU, Int32(strideUV), planeV, Int32(strideUV),
      turned.planeY, Int32(turned.strideY), turned.planeU, Int32(turned.strideUV), turned.planeV,
      Int32(turned.strideUV), Int32(width), Int32(height), mode)
    return turned
  }
}
