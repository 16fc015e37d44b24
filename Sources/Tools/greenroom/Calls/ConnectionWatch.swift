import MediaEngine
import Synchronization

/// Knows whether the call that ends now had lost its connection to the server.
final class ConnectionWatch: Sendable {
  private struct State {
    weak var engine: RTCEngine?
    var wasCutOff = false
  }

  private let state = Mutex(State())
  private let uid: UInt

  init(uid: UInt) { self.uid = uid }

  func attach(to engine: RTCEngine) { state.withLock { $0.engine = engine } }

  /// Whether the last call that was connected was cut off when it ended.
  var wasCutOff: Bool { state.withLock { $0.wasCutOff } }

  /// Takes a report. The end of a connected call is told before its room is left.
  func take(_ report: CallObserver.Report) {
    guard case .disconnected(let room, _, _) = report, let engine = state.withLock({ $0.engine }) else { return }
    let connection = engine.connectionState(of: RTCConnection(channelID: room, localUID: uid))
    state.withLock { $0.wasCutOff = connection == .reconnecting || connection == .failed }
  }
}
