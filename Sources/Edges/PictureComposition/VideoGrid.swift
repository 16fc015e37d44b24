import LinuxIO
import MediaBase
import Synchronization
import SyntheticMedia

/// Shows several people in one picture that lays itself out anew as they come and go: in a window, a file, or wherever a
/// `VideoRenderer` takes pictures. Usable from any thread.
///
/// Each person's pictures go to a renderer of their own (`renderer(for:name:)`), which keeps the newest one and never
/// blocks. A thread of the grid's paints at its frame rate whatever has changed.
public final class VideoGrid: Sendable {
  private struct State {
    var order: [UInt] = []
    var tiles: [UInt: GridTile] = [:]
    var width: Int
    var height: Int
    var hasChanged = true
    var isFinished = false
  }

  /// What the thread and the grid share.
  private final class Board: Sendable {
    let state: Mutex<State>

    init(_ state: State) { self.state = Mutex(state) }

    /// What is to be painted, if anything has changed.
    func take() -> (tiles: [GridTile], width: Int, height: Int)? {
      state.withLock { state in
        guard state.hasChanged else { return nil }
        state.hasChanged = false
        return (state.order.compactMap { state.tiles[$0] }, state.width, state.height)
      }
    }
  }

  private let board: Board
  private let output: any VideoRenderer
  private let thread: Mutex<PacedThread?>

  /// Makes a grid and starts painting.
  ///
  /// - Parameters:
  ///   - width: of the whole picture, 16 to 16,384 pixels.
  ///   - height: of the whole picture.
  ///   - frameRate: pictures a second at most, 1 to 60.
  ///   - output: where they go; it is finished with the grid.
  public init(width: Int = 1_280, height: Int = 720, frameRate: Int = 30, output: any VideoRenderer) {
    let board = Board(State(width: width, height: height))
    self.board = board
    self.output = output
    thread = Mutex(
      PacedThread(name: "video-grid", rate: .init(min(60, max(1, frameRate))), patience: .zero) {
        let painter = GridPainter()
        return { _ in
          guard let work = board.take() else { return true }
          output.render(
            painter.paint(work.tiles, width: work.width, height: work.height, captureTime: MonotonicClock.now()))
          return true
        }
      })
  }

  deinit { finish() }

  /// A place for one person's pictures; people are laid out in the order in which they were first named. Finishing the
  /// renderer leaves the person in the grid without a picture.
  public func renderer(
    for id: UInt, name: String, renderMode: VideoRenderMode = .hidden, isMirrored: Bool = false
  ) -> any VideoRenderer {
    change(id, isNew: true) { tile in
      tile.name = name
      tile.renderMode = renderMode
      tile.isMirrored = isMirrored
    }
    return GridTileRenderer { [weak self] picture in self?.change(id) { $0.picture = picture } }
  }

  /// The person's place is given to others.
  public func remove(_ id: UInt) {
    board.state.withLock { state in
      state.order.removeAll { $0 == id }
      state.hasChanged = state.tiles.removeValue(forKey: id) != nil || state.hasChanged
    }
  }

  /// Shows how loud somebody is, 0 to 255.
  public func setLevel(_ level: Int, of id: UInt) { change(id) { $0.level = min(255, max(0, level)) } }

  /// Shows whether somebody's sound is muted.
  public func setMuted(_ isMuted: Bool, of id: UInt) { change(id) { $0.isMuted = isMuted } }

  /// Paints in another size from now on: that of a window, for example.
  public func setSize(width: Int, height: Int) {
    board.state.withLock { state in
      guard state.width != width || state.height != height else { return }
      state.width = width
      state.height = height
      state.hasChanged = true
    }
  }

  /// The grid as it is now: for snapshots.
  public func picture() -> VideoFrame {
    let (tiles, width, height) = board.state.withLock { state in
      (state.order.compactMap { state.tiles[$0] }, state.width, state.height)
    }
    return GridPainter().paint(tiles, width: width, height: height, captureTime: MonotonicClock.now())
  }

  /// Stops painting and finishes the output. Idempotent.
  public func finish() {
    board.state.withLock { $0.isFinished = true }
    guard let ending = thread.withLock({ $0.take() }) else { return }
    ending.stop()
    output.finish()
  }

  private func change(_ id: UInt, isNew: Bool = false, _ body: (inout GridTile) -> Void) {
    board.state.withLock { state in
      guard !state.isFinished, state.tiles[id] != nil || isNew else { return }
      if state.tiles[id] == nil { state.order.append(id) }
      var tile = state.tiles[id] ?? GridTile()
      body(&tile)
      state.tiles[id] = tile
      state.hasChanged = true
    }
  }
}

/// One person's place in a grid.
private final class GridTileRenderer: VideoRenderer {
  private let show: @Sendable (VideoFrame?) -> Void

  init(_ show: @escaping @Sendable (VideoFrame?) -> Void) { self.show = show }

  func render(_ frame: VideoFrame) { show(frame) }

  func finish() { show(nil) }
}
