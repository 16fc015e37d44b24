import MediaBase
import PictureComposition
import SDLDisplay
import Synchronization

/// One window with a picture and how loud the microphone is, and a line on the terminal that says the same.
final class PreviewWindow: Sendable {
  /// What has been seen and heard.
  struct Totals: Sendable {
    var pictures = 0
    /// In dB below full scale, as a negative number; `nil` if there was only silence.
    var loudest: Int?
  }

  private struct State {
    var totals = Totals()
    var meter = LevelMeter()
    var failure: MediaDeviceError?
    var grid: VideoGrid?
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private static let tile: UInt = 0

  private let shared = Shared()
  private let renderer: any VideoRenderer

  /// - Parameter onEnd: the window has been closed, or there is none.
  init(name: String, size: (width: Int, height: Int), isMirrored: Bool, onEnd: @escaping @Sendable () -> Void) {
    let shared = shared
    let window = WindowRenderer(
      title: "greenroom preview",
      onResize: { width, height in shared.state.withLock { $0.grid }?.setSize(width: width, height: height) },
      onClose: {
        Terminal.event("the window was closed")
        onEnd()
      },
      onFailure: { error in
        shared.state.withLock { $0.failure = error }
        onEnd()
      })
    let grid = VideoGrid(width: size.width, height: size.height, output: window)
    renderer = grid.renderer(for: Self.tile, name: name, renderMode: .fit, isMirrored: isMirrored)
    shared.state.withLock { $0.grid = grid }
  }

  /// Why there is no window.
  var failure: MediaDeviceError? { shared.state.withLock { $0.failure } }

  var totals: Totals { shared.state.withLock { $0.totals } }

  func show(_ picture: VideoFrame) {
    let isFirst = shared.state.withLock { state in
      state.totals.pictures += 1
      return state.totals.pictures == 1
    }
    if isFirst { Terminal.event("first picture, \(picture.width)x\(picture.height)") }
    renderer.render(picture)
  }

  func hear(_ sound: AudioFrame) {
    let (reading, isFirst, grid) = shared.state.withLock { state -> (LevelMeter.Reading?, Bool, VideoGrid?) in
      guard let reading = state.meter.add(sound) else { return (nil, false, nil) }
      let isFirst = state.totals.loudest == nil && reading.decibels != nil
      if let decibels = reading.decibels { state.totals.loudest = max(decibels, state.totals.loudest ?? decibels) }
      return (reading, isFirst, state.grid)
    }
    guard let reading else { return }
    if isFirst { Terminal.event("first sound") }
    grid?.setLevel(reading.level, of: Self.tile)
    if Terminal.isInteractive { Terminal.status("microphone \(reading.bar)") }
  }

  func finish() { shared.state.withLock { $0.grid.take() }?.finish() }
}
