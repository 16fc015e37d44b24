import MediaBase
import MediaEngine
import PictureComposition
import SDLDisplay
import Synchronization

/// One window with everybody who publishes in a channel, with names, loudness and mute marks.
final class WatchWindow: RTCEngineDelegate {
  /// Who has a place, and the grid once the window's closures exist.
  private struct State {
    var grid: VideoGrid?
    var places: Set<UInt> = []
  }

  private final class Shared: Sendable {
    let state = Mutex(State())

    var grid: VideoGrid? { state.withLock { $0.grid } }
  }

  private let shared = Shared()

  /// - Parameter size: with which it opens.
  init(title: String, size: (width: Int, height: Int)) {
    let shared = shared
    let window = WindowRenderer(
      title: title, onResize: { width, height in shared.grid?.setSize(width: width, height: height) },
      onClose: { Terminal.event("the window was closed") },
      onFailure: { error in Terminal.error("No window: \(error)") })
    shared.state.withLock { $0.grid = VideoGrid(width: size.width, height: size.height, output: window) }
  }

  /// Gives somebody a place, if they have none, with a canvas for their pictures.
  func show(_ uid: UInt, of engine: RTCEngine) {
    let grid = shared.state.withLock { state in state.places.insert(uid).inserted ? state.grid : nil }
    guard let grid else { return }
    engine.setupRemoteVideo(VideoCanvas(uid: uid, target: .renderer(grid.renderer(for: uid, name: "\(uid)"))))
  }

  /// Shows how loud somebody is.
  func hear(_ sound: ObservedAudioFrame) {
    guard case .beforeMixing(_, let uid) = sound.position else { return }
    shared.grid?.setLevel(sound.level, of: uid)
  }

  func finish() { shared.grid?.finish() }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {
    show(uid, of: engine)
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason) {
    let grid = shared.state.withLock { state in
      state.places.remove(uid)
      return state.grid
    }
    grid?.remove(uid)
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didAudioMuted muted: Bool, byUID uid: UInt) {
    shared.grid?.setMuted(muted, of: uid)
  }
}
