import CYUV
import MediaBase

extension VideoFrame {
  /// The picture with left and right exchanged, as it looks after its rotation.
  package func mirrored() -> VideoFrame {
    let picture = upright()
    let mirror = VideoFrame(width: picture.width, height: picture.height, captureTime: captureTime)
    I420Mirror(
      picture.planeY, Int32(picture.strideY), picture.planeU, Int32(picture.strideUV), picture.planeV,
      Int32(picture.strideUV), mirror.planeY, Int32(mirror.strideY), mirror.planeU, Int32(mirror.strideUV),
      mirror.planeV, Int32(mirror.strideUV), Int32(picture.width), Int32(picture.height))
    return mirror
  }

  /// The middle of the picture in another shape: as much of it as `width` to `height` leaves, on even pixels.
  package func cropped(toWidth width: Int, height: Int) -> VideoFrame {
    let picture = upright()
    guard width > 0, height > 0 else { return picture }
    let fits = picture.width * height <= picture.height * width
    let newWidth = fits ? picture.width : max(2, picture.height * width / height / 2 * 2)
    let newHeight = fits ? max(2, picture.width * height / width / 2 * 2) : picture.height
    guard newWidth < picture.width || newHeight < picture.height else { return picture }
    let (left, top) = ((picture.width - newWidth) / 4 * 2, (picture.height - newHeight) / 4 * 2)
    let part = VideoFrame(width: newWidth, height: newHeight, captureTime: captureTime)
    let chromaOffset = top / 2 * picture.strideUV + left / 2
    I420Copy(
      picture.planeY + top * picture.strideY + left, Int32(picture.strideY), picture.planeU + chromaOffset,
      Int32(picture.strideUV), picture.planeV + chromaOffset, Int32(picture.strideUV), part.planeY,
      Int32(part.strideY), part.planeU, Int32(part.strideUV), part.planeV, Int32(part.strideUV), Int32(newWidth),
      Int32(newHeight))
    return part
  }
}
