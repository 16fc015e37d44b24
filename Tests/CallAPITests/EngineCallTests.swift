import CallAPI
import MediaEngine
import Signaling
import Synchronization
import TestSupport
import Testing

@Suite("Calls on a real engine", .timeLimit(.minutes(10)), .ownThread)
struct EngineCallTests {
  @Test("a camera that cannot be started is told to the listener of a video call")
  func cameraFailure() async {
    let hub = InProcessSignalHub()
    let signal = hub.makeClient()
    await withCheckedContinuation { continuation in signal.login(uid: 1) { _ in continuation.resume() } }
    // Nobody listens there: capture does not wait for the channel.
    let engine = RTCEngine(
      configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:1", videoSource: BrokenCamera()))
    let (calls, errors) = (CallAPI(), ErrorListener())
    calls.addListener(errors)
    calls.initialize(CallConfiguration(userID: 1, engine: engine, signalClient: signal))
    calls.prepareForCall(PrepareConfiguration(roomID: "R1", callTimeoutMilliseconds: 0))
    calls.call(remoteUserID: 2)
    #expect(await eventually { errors.all.contains { $0.0 == .startCaptureFail && $0.1 == .rtc && $0.2 == 1_003 } })
    #expect(calls.state == .calling)
    await withCheckedContinuation { continuation in calls.deinitialize { _ in continuation.resume() } }
    engine.destroy()
  }
}

/// Writes errors down.
private final class ErrorListener: CallAPIListener {
  private let errors = Mutex<[(CallErrorEvent, CallErrorCodeType, Int)]>([])

  var all: [(CallErrorEvent, CallErrorCodeType, Int)] { errors.withLock { $0 } }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {}

  func onCallError(errorEvent: CallErrorEvent, errorType: CallErrorCodeType, errorCode: Int, message: String?) {
    errors.withLock { $0.append((errorEvent, errorType, errorCode)) }
  }
}

private final class BrokenCamera: VideoSource {
  let name = "broken camera"

  func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) { throw .notFound(name: name) }

  func stop() {}
}
