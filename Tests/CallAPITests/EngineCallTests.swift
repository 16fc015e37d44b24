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
      "show", token: "", uid: 1, peer: 10, isVideo: true, publishes: true, givesWay: true, localView: nil,
      onEvent: { _ in },
      onTokenExpiry: {})
    #expect(code != 0)
    rtc.publish("show", uid: 1, isVideo: true)
    rtc.leave("show", uid: 1)
    #expect(engine.isJoined(show))
    await withCheckedContinuation { continuation in calls.deinitialize { _ in continuation.resume() } }
    engine.destroy()
  }

  /// A user with an engine, whom a stranger calls to a channel of the stranger's choice. Nobody listens at the server.
  private struct Called {
    let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:1"))
    let calls = CallAPI()
    let listener = RingingListener()
    let stranger: InProcessSignalClient
    let answers = Answers()

    final class Answers: Sendable {
      let all = Mutex<[CallMessage]>([])
    }

    init(joinsOnCalling: Bool = true) async {
      let hub = InProcessSignalHub()
      let signal = hub.makeClient()
      stranger = hub.makeClient()
      for (client, uid) in [(signal, UInt(1)), (stranger, 10)] {
        await withCheckedContinuation { continuation in client.login(uid: uid) { _ in continuation.resume() } }
      }
      stranger.addHandler { [answers] event in
        guard case .message(let text, _) = event, let message = try? CallMessage(text: text) else { return }
        answers.all.withLock { $0.append(message) }
      }
      listener.joinsOnCalling.withLock { $0 = joinsOnCalling }
      calls.addListener(listener)
      calls.initialize(CallConfiguration(userID: 1, engine: engine, signalClient: signal))
      await withCheckedContinuation { continuation in
        calls.prepareForCall(PrepareConfiguration(callTimeoutMilliseconds: 0)) { _ in continuation.resume() }
      }
      var call = CallMessage(.videoCall, fromUserID: 10, callID: "theft")
      (call.fromRoomID, call.remoteUserID, call.messageID) = ("show", 1, 1)
      let text = call.text
      await withCheckedContinuation { continuation in
        stranger.send(message: text, to: 1) { _ in continuation.resume() }
      }
    }

    func end() async {
      await withCheckedContinuation { continuation in calls.deinitialize { _ in continuation.resume() } }
      engine.destroy()
    }
  }

  private static let show = RTCConnection(channelID: "show", localUID: 1)

  @Test(
    "a stranger's call to the channel that the application joins next does not keep it out, and ends",
    arguments: [(false, false), (true, false), (false, true), (true, true)])
  func callToTheNextShow(isAccepted: Bool, isExtra: Bool) async {
    let called = await Called()
    #expect(await eventually { called.engine.isJoined(Self.show) })
    if isAccepted {
      await withCheckedContinuation { continuation in
        called.calls.accept(remoteUserID: 10) { _ in continuation.resume() }
      }
    }
    let options = ChannelMediaOptions(clientRoleType: .broadcaster)
    let code =
      isExtra
      ? called.engine.joinChannelEx(token: nil, connection: Self.show, delegate: nil, options: options)
      : called.engine.joinChannel(token: nil, channelID: "show", uid: 1, options: options)
    #expect(code == 0)
    #expect(await eventually { called.calls.state == .prepared && called.calls.callID.isEmpty })
    let action = isAccepted ? CallAction.hangup : .reject
    #expect(
      await eventually {
        called.answers.all.withLock { $0 }.contains {
          $0.action == action && ($0.rejectReason ?? $0.hangupReason) == CallMessage.channelReason
        }
      })
    // The show is the application's: another call there does not ring, and a second join is refused as ever.
    #expect(called.engine.isJoined(Self.show))
    #expect(
      called.engine.joinChannelEx(token: nil, connection: Self.show, delegate: nil, options: options)
        == -EngineErrorCode.joinRejected.rawValue)
    await called.end()
  }

  @Test("who accepts a call to a channel that the application has joined meanwhile hangs up")
  func callToTheShowOfMeanwhile() async {
    let called = await Called(joinsOnCalling: false)
    #expect(await eventually { called.calls.state == .calling })
    #expect(
      called.engine.joinChannel(token: nil, channelID: "show", uid: 1, options: ChannelMediaOptions()) == 0)
    called.calls.accept(remoteUserID: 10)
    #expect(await eventually { called.answers.all.withLock { $0 }.map(\.action) == [.accept, .hangup] })
    #expect(await eventually { called.calls.state == .prepared })
    #expect(called.engine.isJoined(Self.show))
    await called.end()
  }

  @Test("a join that must fail all the same leaves the call alone")
  func callAndBadJoin() async {
    let called = await Called()
    #expect(await eventually { called.engine.isJoined(Self.show) })
    let options = ChannelMediaOptions()
    #expect(called.engine.joinChannel(token: nil, channelID: "other", uid: 1, options: options) == 0)
    #expect(called.engine.joinChannel(token: nil, channelID: "show", uid: 1, options: options) == -17)
    called.calls.accept(remoteUserID: 10)
    #expect(await eventually { called.calls.state == .connecting })
    await called.end()
  }

  @Test("a call of one's own keeps its channel")
  func ownCall() async {
    let hub = InProcessSignalHub()
    let signal = hub.makeClient()
    await withCheckedContinuation { continuation in signal.login(uid: 1) { _ in continuation.resume() } }
    let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:1"))
    let calls = CallAPI()
    calls.initialize(CallConfiguration(userID: 1, engine: engine, signalClient: signal))
    calls.prepareForCall(PrepareConfiguration(roomID: "show", callTimeoutMilliseconds: 0))
    calls.call(remoteUserID: 2)
    #expect(await eventually { engine.isJoined(Self.show) })
    #expect(engine.joinChannel(token: nil, channelID: "show", uid: 1, options: ChannelMediaOptions()) == -17)
    #expect(calls.state == .calling)
    await withCheckedContinuation { continuation in calls.deinitialize { _ in continuation.resume() } }
    engine.destroy()
  }
}

/// Says whether channels of calls that ring are joined.
private final class RingingListener: CallAPIListener {
  let joinsOnCalling = Mutex(true)

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {}

  func canJoinRTCOnCalling(eventInfo: [String: JSONValue]) -> Bool? { joinsOnCalling.withLock { $0 } }
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
