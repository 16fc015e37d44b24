import BenchmarkSupport
import CallAPI
import LinuxIO
import MediaBase
import MediaEngine
import Signaling
import Synchronization
import SyntheticMedia

/// Somebody who calls or is called, and the times at which the call's states were told.
final class CallParticipant: CallAPIListener {
  let uid: UInt
  let engine: RTCEngine
  let pictures: PictureWatch
  let calls = CallAPI()
  private let signal: WebSocketSignalClient
  private let states = Mutex<[CallState: MediaInstant]>([:])
  private let reaction = Mutex<(@Sendable (CallState) -> Void)?>(nil)

  init(_ stage: BenchmarkStage, uid: UInt) {
    self.uid = uid
    engine = stage.engine(video: TestPatternSource(), hasAudio: true)
    pictures = PictureWatch(engine)
    signal = WebSocketSignalClient(url: stage.url)
    calls.initialize(CallConfiguration(userID: uid, engine: engine, signalClient: signal))
    calls.addListener(self)
  }

  /// Logs in and gets ready to call, with `room` as the channel of outgoing calls.
  func prepare(room: String) -> Bool {
    if signal.connectionState != .connected { signal.login(uid: uid) { _ in } }
    guard poll(seconds: 5, { signal.connectionState == .connected ? true : nil }) != nil else { return false }
    calls.prepareForCall(PrepareConfiguration(roomID: room))
    return wait(for: .prepared) != nil
  }

  /// What the application does when a state is told; inside the report, as applications do.
  func react(_ body: (@Sendable (CallState) -> Void)?) { reaction.withLock { $0 = body } }

  func clear() {
    states.withLock { $0.removeAll() }
    pictures.clear()
  }

  /// When the state was first told since `clear()`.
  func wait(for state: CallState) -> MediaInstant? { poll(seconds: 5) { states.withLock { $0[state] } } }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {
    let now = MonotonicClock.now()
    states.withLock { states in
      if states[state] == nil { states[state] = now }
    }
    reaction.withLock { $0 }?(state)
  }

  func close() {
    calls.deinitialize()
    signal.logout()
    engine.destroy()
  }
}
