import CallAPI
import ChannelServer
import MediaBase
import MediaEngine
import Signaling
import Synchronization
import SyntheticMedia
import TestSupport

/// Somebody with the native call layer on a real engine, who can be called and calls.
final class NativeUser: CallAPIListener {
  struct Step: Hashable, CustomStringConvertible {
    var state: CallState
    var reason: CallStateReason
    var description: String { "\(state).\(reason)" }
  }

  private struct Seen {
    var steps: [Step] = []
    var caller: UInt?
    var clocks: [MediaInstant] = []
    var loudSounds = 0
  }

  let uid: UInt
  let calls = CallAPI()
  private let engine: RTCEngine
  private let signal: WebSocketSignalClient
  private let accepts: Bool
  private let encryption: CallEncryptionPolicy
  private let seen = Mutex(Seen())

  /// Logs in, and is ready for calls when it returns.
  init(
    _ uid: UInt, at address: String, accepts: Bool = true, timeout: Int = 15_000,
    encryption: CallEncryptionPolicy = .off
  ) async {
    self.uid = uid
    self.accepts = accepts
    self.encryption = encryption
    engine = RTCEngine(
      configuration: RTCEngineConfiguration(
        server: "ws://\(address)", videoSource: TestPatternSource(), audioSource: ToneSource(),
        videoEncoderConfiguration: VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30)))
    signal = WebSocketSignalClient(url: "ws://\(address)")
    calls.initialize(CallConfiguration(userID: uid, engine: engine, signalClient: signal))
    calls.addListener(self)
    engine.setAudioFrameObserver { [weak self] observed in
      guard case .beforeMixing = observed.position, observed.frame.samples.contains(where: { abs(Int($0)) > 500 })
      else { return }
      self?.seen.withLock { $0.loudSounds += 1 }
    }
    await withCheckedContinuation { continuation in signal.login(uid: uid) { _ in continuation.resume() } }
    prepare(timeout: timeout)
    _ = await eventually { calls.state == .prepared }
  }

  func prepare(timeout: Int) {
    let view = VideoCanvas.Target.closure { [weak self] frame in
      guard let clock = FrameClock.read(frame) else { return }
      self?.seen.withLock { $0.clocks.append(clock) }
    }
    calls.prepareForCall(
      PrepareConfiguration(
        roomID: "room-of-\(uid)", callTimeoutMilliseconds: timeout, endToEndEncryption: encryption, remoteView: view))
  }

  /// Is gone from the call without a word.
  func vanish() { engine.destroy() }

  func end() async {
    await withCheckedContinuation { continuation in calls.deinitialize { _ in continuation.resume() } }
    signal.logout()
    engine.destroy()
  }

  /// All states told so far.
  var steps: [Step] { seen.withLock { $0.steps } }
  /// What the other side's clock said in the pictures of it, once connected.
  var clocks: [MediaInstant] { seen.withLock { $0.clocks } }
  /// How often something loud came from the other side.
  var loudSounds: Int { seen.withLock { $0.loudSounds } }
  /// Who called last.
  var caller: UInt? { seen.withLock { $0.caller } }

  func has(_ state: CallState, _ reason: CallStateReason) -> Bool {
    steps.contains(Step(state: state, reason: reason))
  }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {
    seen.withLock { $0.steps.append(Step(state: state, reason: stateReason)) }
    guard [.remoteVideoCall, .remoteAudioCall].contains(stateReason),
      let caller = eventInfo["fromUserId"]?.wholeNumber.flatMap({ UInt(exactly: $0) })
    else { return }
    seen.withLock { $0.caller = caller }
    if accepts { calls.accept(remoteUserID: caller) }
  }
}
