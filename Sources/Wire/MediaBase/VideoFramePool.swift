import Synchronization

/// Lends picture memory and keeps what comes back, so that a steady stream allocates nothing.
///
/// Holds memory of one size at a time; asking for another size drops what was kept. Usable from any thread.
public final class VideoFramePool: Sendable {
  /// Row starts are aligned to this many bytes, for vector code.
  static let alignment = 64

  struct Layout {
    let width: Int
    let height: Int
    var strideY: Int { (width + 63) & ~63 }
    var strideUV: Int { ((width + 1) / 2 + 63) & ~63 }
    var byteCount: Int { strideY * height + 2 * strideUV * ((height + 1) / 2) }
  }

  private struct Spare: @unchecked Sendable {
    // @unchecked: a pointer to memory that nobody uses while it lies here.
    let memory: UnsafeMutableRawPointer
  }

  private struct State {
    var width = 0
    var height = 0
    var spares: [Spare] = []
  }

  private let state = Mutex(State())
  private let keepAtMost: Int

  /// Makes a pool that keeps at most `keepAtMost` unused frames.
  public init(keepAtMost: Int = 8) { self.keepAtMost = keepAtMost }

  deinit {
    state.withLock { $0.spares.forEach { $0.memory.deallocate() } }
  }

  /// A frame with undefined contents. Width and height are at least 1 and at most 16,384; the caller has checked them.
  public func frame(width: Int, height: Int, captureTime: MediaInstant) -> VideoFrame {
    let layout = Layout(width: width, height: height)
    let spare = state.withLock { state -> Spare? in
      if state.width != width || state.height != height {
        state.spares.forEach { $0.memory.deallocate() }
        state.spares.removeAll()
        state.width = width
        state.height = height
      }
      return state.spares.popLast()
    }
    let memory = spare?.memory ?? .allocate(byteCount: layout.byteCount, alignment: Self.alignment)
    return VideoFrame(layout: layout, captureTime: captureTime, storage: memory, pool: self)
  }

  func giveBack(_ memory: UnsafeMutableRawPointer, width: Int, height: Int) {
    let spare = Spare(memory: memory)
    let kept = state.withLock { state -> Bool in
      guard state.width == width, state.height == height, state.spares.count < keepAtMost else { return false }
      state.spares.append(spare)
      return true
    }
    if !kept { memory.deallocate() }
  }
}
