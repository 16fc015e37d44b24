import CallAPI
import MediaEngine
import Signaling
import Synchronization

/// From a show to a private call and back: the host's room goes on without pictures while host and viewer talk.
enum ShowToCall {
  static func run() async throws {
    let place = try Place()
    let (host, viewer) = (try Person(uid: 1, place, "host"), try Person(uid: 2, place, "viewer"))
    try await host.prepare()
    try await viewer.prepare()

    // The host goes on air.
    host.engine.setClientRole(.broadcaster)
    host.engine.enableLocalVideo(true)
    host.engine.enableLocalAudio(true)
    let onAir = ChannelMediaOptions(publishCameraTrack: true, publishMicrophoneTrack: true)
    try check("joining", host.engine.joinChannel(token: nil, channelID: "show", uid: 1, options: onAir))

    // The viewer watches.
    viewer.engine.setClientRole(.audience)
    let watching = ChannelMediaOptions(autoSubscribeAudio: true, autoSubscribeVideo: true)
    let show = View("the show at the viewer")
    viewer.engine.setupRemoteVideo(VideoCanvas(uid: 1, target: show.target))
    try check("watching", viewer.engine.joinChannel(token: nil, channelID: "show", uid: 2, options: watching))
    try await show.showsPictures()

    // The viewer calls; the host stops publishing, accepts, and both see each other.
    viewer.calls.call(remoteUserID: 1)
    try await host.view.showsPictures()
    try await viewer.view.showsPictures()
    viewer.calls.hangup(remoteUserID: 1, reason: "the example is over")

    // The show goes on.
    try await show.showsPictures()
    try check("leaving", viewer.engine.leaveChannel())
    for person in [host, viewer] { person.end() }
  }
}

/// Somebody with an engine, signalling and calls.
private final class Person: CallAPIListener {
  let uid: UInt
  let engine: RTCEngine
  let calls = CallAPI()
  let view: View
  private let signals: WebSocketSignalClient

  init(uid: UInt, _ place: Place, _ name: String) throws {
    self.uid = uid
    engine = RTCEngine(configuration: place.configuration())
    signals = WebSocketSignalClient(url: place.url)
    view = View("the call at the \(name)")
    calls.initialize(CallConfiguration(userID: uid, engine: engine, signalClient: signals))
    calls.addListener(self)
  }

  /// Logs in and gets ready to call and be called. A fresh channel for each call, so that no earlier peer knows it.
  func prepare() async throws {
    let isReady = Atomic<Bool>(false)
    signals.login(uid: uid) { [self] error in
      guard error == nil else { return }
      calls.prepareForCall(PrepareConfiguration(remoteView: view.target)) { error in
        if error == nil { isReady.store(true, ordering: .relaxed) }
      }
    }
    try await eventually("user \(uid) is not ready for calls") { isReady.load(ordering: .relaxed) }
  }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {
    switch state {
    case .calling where eventInfo[CallInfoKey.remoteUserID]?.wholeNumber == Int64(uid):
      guard let caller = eventInfo[CallInfoKey.fromUserID]?.wholeNumber.flatMap({ UInt(exactly: $0) }) else { return }
      publish(false)
      calls.accept(remoteUserID: caller) { [calls] error in
        if let error { calls.reject(remoteUserID: caller, reason: error.message) }
      }
    case .prepared, .idle, .failed: publish(true)
    default: break
    }
  }

  /// Only the host is in a channel where this changes anything.
  private func publish(_ isOn: Bool) {
    guard uid == 1 else { return }
    engine.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: isOn, publishMicrophoneTrack: isOn))
  }

  func end() {
    calls.deinitialize()
    signals.logout()
    engine.destroy()
  }
}
