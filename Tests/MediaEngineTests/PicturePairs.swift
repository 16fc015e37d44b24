import MediaEngine
import Synchronization

/// Compares pictures with their mirror images by capture time.
final class PicturePairs: Sendable {
  private struct State {
    var rows: [MediaInstant: [UInt8]] = [:]
    var matches = 0
    var mismatches = 0
  }

  private let state = Mutex(State())

  var matches: Int { state.withLock { $0.matches } }
  var mismatches: Int { state.withLock { $0.mismatches } }

  func plain(_ frame: VideoFrame) {
    let row = Self.row(frame)
    state.withLock { $0.rows[frame.captureTime] = row }
  }

  func mirrored(_ frame: VideoFrame) {
    let row = Self.row(frame)
    state.withLock { state in
      guard let plain = state.rows.removeValue(forKey: frame.captureTime) else { return }
      if Array(plain.reversed()) == row { state.matches += 1 } else { state.mismatches += 1 }
    }
  }

  private static func row(_ frame: VideoFrame) -> [UInt8] {
    let start = frame.planeY + frame.strideY * (frame.height / 2)
    return Array(UnsafeBufferPointer(start: start, count: frame.width))
  }
}
