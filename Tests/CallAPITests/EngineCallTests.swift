import MediaEngine
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import CallAPI

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

  @Test("a call to the channel of the application's own show does not ring, and nothing of a call touches the show")
  func callToTheShow() async {
    let hub = InProcessSignalHub()
    let (signal, stranger) = (hub.makeClient(), hub.makeClient())
    for (client, uid) in [(signal, UInt(1)), (stranger, 10)] {
      await withCheckedContinuation { continuation in client.login(uid: uid) { _ in continuation.resume() } }
    }
    let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:1"))
    let show = RTCConnection(channelID: "show", localUID: 1)
    #expect(engine.joinChannel(token: nil, channelID: "show", uid: 1, options: ChannelMediaOptions()) == 0)
    let (calls, warnings) = (CallAPI(), WarningListener())
    calls.addListener(warnings)
    calls.initialize(CallConfiguration(userID: 1, engine: engine, signalClient: signal))
    calls.prepareForCall(PrepareConfiguration())
    #expect(await eventually { calls.state == .prepared })
    var call = CallMessage(.videoCall, fromUserID: 10, callID: "theft")
    (call.fromRoomID, call.remoteUserID, call.messageID) = ("show", 1, 1)
    let text = call.text
    await withCheckedContinuation { continuation in
      stranger.send(message: text, to: 1) { _ in continuation.resume() }
    }
    #expect(await eventually { warnings.all.contains { $0.contains("a channel that this user is in already") } })
    #expect(calls.state == .prepared && engine.isJoined(show))

    // Should it be joined in spite of that, the engine refuses, and the rest has no effect.
    let rtc = EngineCallRTC(engine: engine)
    let code = rtc.join(
      "show", token: "", uid: 1, peer: 10, isVideo: true, publishes: true, localView: nil, onEvent: { _ in },
      onTokenExpiry: {})
    #expect(code != 0)
    rtc.publish("show", uid: 1, isVideo: true)
    rtc.leave("show", uid: 1)
    #expect(engine.isJoined(show))
    await withCheckedContinuation { continuation in calls.deinitialize { _ in continuation.resume() } }
    engine.destroy()
  }
}

/// Writes warnings down.
private final class WarningListener: CallAPIListener {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {}

  func callDebugInfo(message: String, logLevel: CallLogLevel) { texts.withLock { $0.append(message) } }
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
