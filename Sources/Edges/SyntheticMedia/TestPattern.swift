import Glibc
import MediaBase

/// Paints a moving picture in many colours: bars that wander sideways and three discs that fly over them. Cheap to draw, and
/// neither trivial nor hard to compress. Used by one thread at a time.
public final class TestPattern {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int

  private let pool = VideoFramePool()
  /// The bars, twice side by side, so that any place to start has a whole picture to its right.
  private let background: VideoFrame

  private struct Color {
    let y: UInt8
    let u: UInt8
    let v: UInt8
  }

  private struct Disc {
    let color: Color
    let turnsPerSecondX: Double
    let turnsPerSecondY: Double
    let phase: Double
  }

  private static let bars = [
    Color(y: 180, u: 128, v: 128), Color(y: 162, u: 44, v: 142), Color(y: 131, u: 156, v: 44),
    Color(y: 112, u: 72, v: 58), Color(y: 84, u: 184, v: 198), Color(y: 65, u: 100, v: 212),
    Color(y: 45, u: 212, v: 114), Color(y: 90, u: 128, v: 128),
  ]
  private static let discs = [
    Disc(color: Color(y: 210, u: 60, v: 150), turnsPerSecondX: 0.31, turnsPerSecondY: 0.47, phase: 0),
    Disc(color: Color(y: 60, u: 170, v: 90), turnsPerSecondX: 0.23, turnsPerSecondY: 0.37, phase: 2),
    Disc(color: Color(y: 140, u: 110, v: 210), turnsPerSecondX: 0.41, turnsPerSecondY: 0.29, phase: 4),
  ]

  /// Prepares a pattern; sides are brought into 16...4,096.
  public init(width: Int, height: Int) {
    self.width = min(max(width, 16), 4_096)
    self.height = min(max(height, 16), 4_096)
    background = Self.makeBackground(width: self.width, height: self.height)
  }

  /// The picture at `seconds` from the pattern's beginning.
  public func frame(atSeconds seconds: Double, captureTime: MediaInstant) -> VideoFrame {
    let frame = pool.frame(width: width, height: height, captureTime: captureTime)
    copyBackground(to: frame, atSeconds: seconds)
    for disc in Self.discs { draw(disc, on: frame, atSeconds: seconds) }
    return frame
  }

  private static func makeBackground(width: Int, height: Int) -> VideoFrame {
    let chromaWidth = (width + 1) / 2
    let background = VideoFrame(width: chromaWidth * 4, height: height)
    for y in 0..<height {
      // Brighter toward the bottom, so that no area is entirely flat.
      let shade = y * 48 / height
      for x in 0..<background.width {
        let bar = bars[x % width * bars.count / width]
        background.planeY[y * background.strideY + x] = bar.y - 24 + UInt8(shade)
      }
    }
    for y in 0..<background.chromaHeight {
      for x in 0..<background.chromaWidth {
        let bar = bars[x % chromaWidth * bars.count / chromaWidth]
        background.planeU[y * background.strideUV + x] = bar.u
        background.planeV[y * background.strideUV + x] = bar.v
      }
    }
    return background
  }

  private func copyBackground(to frame: VideoFrame, atSeconds seconds: Double) {
    let turn = seconds * 0.05
    // Even, so that luma and chroma stay together.
    let shift = min(Int((turn - turn.rounded(.down)) * Double(width)), width - 1) & ~1
    for y in 0..<height {
      (frame.planeY + y * frame.strideY)
        .update(from: background.planeY + y * background.strideY + shift, count: width)
    }
    for y in 0..<frame.chromaHeight {
      let source = y * background.strideUV + shift / 2
      (frame.planeU + y * frame.strideUV).update(from: background.planeU + source, count: frame.chromaWidth)
      (frame.planeV + y * frame.strideUV).update(from: background.planeV + source, count: frame.chromaWidth)
    }
  }

  private func draw(_ disc: Disc, on frame: VideoFrame, atSeconds seconds: Double) {
    let (w, h) = (Double(width), Double(height))
    let x = w / 2 + w * 0.38 * cos(2 * .pi * disc.turnsPerSecondX * seconds + disc.phase)
    let y = h * 0.55 + h * 0.3 * sin(2 * .pi * disc.turnsPerSecondY * seconds + disc.phase)
    let radius = min(w, h) / 8
    let (chromaWidth, chromaHeight) = (frame.chromaWidth, frame.chromaHeight)
    fillDisc(frame.planeY, frame.strideY, width, height, x, y, radius, disc.color.y)
    fillDisc(frame.planeU, frame.strideUV, chromaWidth, chromaHeight, x / 2, y / 2, radius / 2, disc.color.u)
    fillDisc(frame.planeV, frame.strideUV, chromaWidth, chromaHeight, x / 2, y / 2, radius / 2, disc.color.v)
  }

  private func fillDisc(
    _ plane: UnsafeMutablePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int, _ x: Double, _ y: Double,
    _ radius: Double, _ value: UInt8
  ) {
    let first = max(0, Int((y - radius).rounded(.up)))
    let last = min(height - 1, Int((y + radius).rounded(.down)))
    guard first <= last else { return }
    for row in first...last {
      let distance = Double(row) - y
      // At the disc's very edge, rounding may put a row outside.
      let reach = max(0, radius * radius - distance * distance).squareRoot()
      let start = max(0, Int((x - reach).rounded(.up)))
      let end = min(width - 1, Int((x + reach).rounded(.down)))
      if start <= end { (plane + row * stride + start).update(repeating: value, count: end - start + 1) }
    }
  }
}
