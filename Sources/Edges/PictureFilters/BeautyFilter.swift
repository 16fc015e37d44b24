import CYUV
import MediaBase

/// Lightens pictures, and smooths and reddens skin. Used by one thread at a time; keeps memory for one size of picture.
///
/// The picture is split into a blurred one and what it lacks. Small differences are the structure of skin, large ones are
/// edges: a curve over the difference takes the former away where the colour is that of skin, and makes the latter
/// stronger. A second curve over the brightness lightens.
public final class BeautyFilter {
  /// What is changed, as asked for.
  public let options: BeautyOptions
  private let tables: BeautyTables
  private let pool = VideoFramePool()
  /// The picture at a fraction of its size, and that scaled up again.
  private var small: [UInt8] = []
  private var blurred: [UInt8] = []
  /// How much each chroma sample has the colour of skin, as an index into the curves.
  private var skin: [UInt8] = []

  /// Makes a filter; levels outside 0 to 1 are brought into that range.
  public init(_ options: BeautyOptions) {
    self.options = options
    tables = BeautyTables(options)
  }

  /// A changed copy: the frame may be seen by others.
  public func filter(_ frame: VideoFrame) -> VideoFrame {
    let result = pool.frame(width: frame.width, height: frame.height, captureTime: frame.captureTime)
    result.rotation = frame.rotation
    blur(frame)
    filterChroma(frame, into: result)
    filterLuma(frame, into: result)
    return result
  }

  /// What is smaller than a 300th of the picture's width goes.
  private func blur(_ frame: VideoFrame) {
    let factor = min(8, max(2, frame.width / 320))
    let (width, height) = (max(1, frame.width / factor), max(1, frame.height / factor))
    if blurred.count != frame.width * frame.height || small.count != width * height {
      small = [UInt8](repeating: 0, count: width * height)
      blurred = [UInt8](repeating: 0, count: frame.width * frame.height)
      skin = [UInt8](repeating: 0, count: frame.chromaWidth)
    }
    ScalePlane(
      frame.planeY, Int32(frame.strideY), Int32(frame.width), Int32(frame.height), &small, Int32(width), Int32(width),
      Int32(height), kFilterBox)
    ScalePlane(
      small, Int32(width), Int32(width), Int32(height), &blurred, Int32(frame.width), Int32(frame.width),
      Int32(frame.height), kFilterBilinear)
  }

  private func filterChroma(_ frame: VideoFrame, into result: VideoFrame) {
    for row in 0..<frame.chromaHeight {
      let (u, v) = (frame.planeU + row * frame.strideUV, frame.planeV + row * frame.strideUV)
      let (newU, newV) = (result.planeU + row * result.strideUV, result.planeV + row * result.strideUV)
      tables.chroma.withUnsafeBufferPointer { chroma in
        for column in 0..<frame.chromaWidth {
          let share = tables.skinShare(u: u[column], v: v[column])
          newU[column] = UInt8(clamping: Int(u[column]) - Int(chroma[share]) / 3)
          newV[column] = UInt8(clamping: Int(v[column]) + Int(chroma[share]))
        }
      }
    }
  }

  private func filterLuma(_ frame: VideoFrame, into result: VideoFrame) {
    let width = frame.width
    tables.withCurves { curves, tone in
      blurred.withUnsafeBufferPointer { blurred in
        skin.withUnsafeMutableBufferPointer { skin in
          for row in 0..<frame.height {
            if row % 2 == 0 { findSkin(frame, row / 2, into: skin) }
            let (source, target) = (frame.planeY + row * frame.strideY, result.planeY + row * result.strideY)
            let start = row * width
            for column in 0..<width {
              let blurredValue = Int(blurred[start + column])
              let difference = Int(source[column]) - blurredValue
              let share = Int(skin[column >> 1])
              target[column] = tone[blurredValue + Int(curves[share * 512 + difference + 256]) + 256]
            }
          }
        }
      }
    }
  }

  private func findSkin(_ frame: VideoFrame, _ row: Int, into skin: UnsafeMutableBufferPointer<UInt8>) {
    let (u, v) = (frame.planeU + row * frame.strideUV, frame.planeV + row * frame.strideUV)
    for column in 0..<frame.chromaWidth { skin[column] = UInt8(tables.skinShare(u: u[column], v: v[column])) }
  }
}
