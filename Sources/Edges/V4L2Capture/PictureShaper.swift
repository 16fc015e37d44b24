import CYUV
import MediaBase

/// Crops, scales, turns and mirrors pictures as one user of a camera wants them. Used by one thread.
final class PictureShaper {
  private let options: CameraOptions
  private let width: Int
  private let height: Int
  private let scaled = VideoFramePool(keepAtMost: 4)
  private let turned = VideoFramePool(keepAtMost: 4)
  private let mirrored = VideoFramePool(keepAtMost: 4)

  private struct Area {
    var left: Int
    var top: Int
    var width: Int
    var height: Int
  }

  init(_ options: CameraOptions, for wanted: VideoCaptureFormat) {
    self.options = options
    let swapsSides = options.rotation == 90 || options.rotation == 270
    width = min(max(swapsSides ? wanted.height : wanted.width, 1), 16_384)
    height = min(max(swapsSides ? wanted.width : wanted.height, 1), 16_384)
  }

  func shape(_ frame: VideoFrame) -> VideoFrame { mirror(turn(fit(frame))) }

  private func fit(_ frame: VideoFrame) -> VideoFrame {
    guard options.framing != .asCaptured, frame.width != width || frame.height != height else { return frame }
    let whole = Area(left: 0, top: 0, width: frame.width, height: frame.height)
    let result = scaled.frame(width: width, height: height, captureTime: frame.captureTime)
    if options.framing == .crop {
      let source = Self.inside(whole, shapeOf: (width, height))
      scale(frame, source, to: result, Area(left: 0, top: 0, width: width, height: height))
    } else {
      fillBlack(result)
      let target = Self.inside(
        Area(left: 0, top: 0, width: width, height: height), shapeOf: (frame.width, frame.height))
      scale(frame, whole, to: result, target)
    }
    return result
  }

  /// The largest part of the middle of `area` with this shape, on even pixels, so that luma and chroma stay together.
  private static func inside(_ area: Area, shapeOf shape: (width: Int, height: Int)) -> Area {
    var (width, height) = (area.width, area.height)
    if width * shape.height > height * shape.width {
      width = max(1, height * shape.width / shape.height)
    } else {
      height = max(1, width * shape.height / shape.width)
    }
    return Area(left: (area.width - width) / 2 & ~1, top: (area.height - height) / 2 & ~1, width: width, height: height)
  }

  private func scale(_ frame: VideoFrame, _ source: Area, to result: VideoFrame, _ target: Area) {
    let chroma = source.top / 2 * frame.strideUV + source.left / 2
    let targetChroma = target.top / 2 * result.strideUV + target.left / 2
    // The library sums up rows in 16 bits, which is not enough for more than 256 of them.
    let filter = source.height / max(1, target.height) < 256 ? kFilterBox : kFilterNone
    I420Scale(
      frame.planeY + source.top * frame.strideY + source.left, Int32(frame.strideY), frame.planeU + chroma,
      Int32(frame.strideUV), frame.planeV + chroma, Int32(frame.strideUV), Int32(source.width), Int32(source.height),
      result.planeY + target.top * result.strideY + target.left, Int32(result.strideY), result.planeU + targetChroma,
      Int32(result.strideUV), result.planeV + targetChroma, Int32(result.strideUV), Int32(target.width),
      Int32(target.height), filter)
  }

  private func fillBlack(_ frame: VideoFrame) { frame.fill(luma: 16) }

  private func turn(_ frame: VideoFrame) -> VideoFrame {
    let mode: RotationMode
    switch options.rotation {
    case 90: mode = kRotate90
    case 180: mode = kRotate180
    case 270: mode = kRotate270
    default: return frame
    }
    let swapsSides = options.rotation != 180
    let result = turned.frame(
      width: swapsSides ? frame.height : frame.width, height: swapsSides ? frame.width : frame.height,
      captureTime: frame.captureTime)
    I420Rotate(
      frame.planeY, Int32(frame.strideY), frame.planeU, Int32(frame.strideUV), frame.planeV, Int32(frame.strideUV),
      result.planeY, Int32(result.strideY), result.planeU, Int32(result.strideUV), result.planeV,
      Int32(result.strideUV), Int32(frame.width), Int32(frame.height), mode)
    return result
  }

  private func mirror(_ frame: VideoFrame) -> VideoFrame {
    guard options.isMirrored else { return frame }
    let result = mirrored.frame(width: frame.width, height: frame.height, captureTime: frame.captureTime)
    I420Mirror(
      frame.planeY, Int32(frame.strideY), frame.planeU, Int32(frame.strideUV), frame.planeV, Int32(frame.strideUV),
      result.planeY, Int32(result.strideY), result.planeU, Int32(result.strideUV), result.planeV,
      Int32(result.strideUV), Int32(frame.width), Int32(frame.height))
    return result
  }
}

extension VideoFrame {
  /// Makes the whole picture one grey: 16 is black, 235 white.
  func fill(luma: UInt8) {
    planeY.update(repeating: luma, count: strideY * height)
    planeU.update(repeating: 128, count: strideUV * chromaHeight)
    planeV.update(repeating: 128, count: strideUV * chromaHeight)
  }

  /// The same picture at another time, in memory of its own: whoever has the first may still be reading it.
  func copy(at time: MediaInstant, pool: VideoFramePool) -> VideoFrame {
    let result = pool.frame(width: width, height: height, captureTime: time)
    I420Copy(
      planeY, Int32(strideY), planeU, Int32(strideUV), planeV, Int32(strideUV), result.planeY, Int32(result.strideY),
      result.planeU, Int32(result.strideUV), result.planeV, Int32(result.strideUV), Int32(width), Int32(height))
    result.rotation = rotation
    return result
  }
}
