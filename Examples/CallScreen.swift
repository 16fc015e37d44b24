import MediaEngine
import Synchronization

/// The engine's side of a call's screen: who is there, whose camera and microphone are on, who speaks, and the way from a
/// video call to one with sound only.
enum CallScreen {
  static func run() async throws {
    let place = try Place()
    let (a, b) = (Screen(), Screen())
    let (first, second) = (engine(place, a), engine(place, b))
    let (atFirst, atSecond) = (View("the second at the first"), View("the first at the second"))
    for (engine, uid, peer, view) in [(first, UInt(1), UInt(2), atFirst), (second, 2, 1, atSecond)] {
      engine.enableVideo()
      engine.setupLocalVideo(VideoCanvas(target: .closure { _ in }))
      engine.startPreview()
      engine.setupRemoteVideo(VideoCanvas(uid: peer, target: view.target))
      try check(
        "joining", engine.joinChannel(token: nil, channelID: "5711", uid: uid, options: ChannelMediaOptions()))
    }
    try await atFirst.showsPictures()
    try await atSecond.showsPictures()
    try await eventually("nobody speaks") { b.volume(of: 1) > 0 }
    print("1 speaks with volume \(b.volume(of: 1))")

    // Switching to sound only: the module goes off, and the other side learns that the camera is gone.
    first.disableVideo()
    try await eventually("the camera still counts as on") { b.isCameraOn(1) == false }
    try await eventually("the sound is gone too") { b.isMicrophoneOn(1) == true }
    print("the call goes on with sound only")
    try check("hanging up", first.leaveChannel())
    try await eventually("the other side is still there") { b.users.isEmpty }
    for engine in [first, second] { engine.destroy() }
  }

  private static func engine(_ place: Place, _ screen: Screen) -> RTCEngine {
    let engine = RTCEngine(configuration: place.configuration(), delegate: screen)
    engine.setClientRole(.broadcaster)
    engine.setVideoEncoderConfiguration(VideoEncoderConfiguration(width: 960, height: 540, frameRate: 15, bitrate: 500))
    engine.enableAudioVolumeIndication(interval: 200, smooth: 3, reportVAD: true)
    return engine
  }
}

/// What the screen knows of the others.
private final class Screen: RTCEngineDelegate {
  private struct State {
    var users: Set<UInt> = []
    var cameras: [UInt: Bool] = [:]
    var microphones: [UInt: Bool] = [:]
    var volumes: [UInt: Int] = [:]
  }

  private let state = Mutex(State())

  var users: Set<UInt> { state.withLock { $0.users } }
  func isCameraOn(_ uid: UInt) -> Bool? { state.withLock { $0.cameras[uid] } }
  func isMicrophoneOn(_ uid: UInt) -> Bool? { state.withLock { $0.microphones[uid] } }
  func volume(of uid: UInt) -> Int { state.withLock { $0.volumes[uid] ?? 0 } }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {
    state.withLock { _ = $0.users.insert(uid) }
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason) {
    state.withLock { _ = $0.users.remove(uid) }
    print("\(uid) has gone (\(reason))")
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteVideoStateChangedOfUID uid: UInt, state: RemoteVideoState,
    reason: RemoteVideoStateReason, elapsed: Int
  ) {
    guard reason == .remoteMuted || reason == .remoteUnmuted else { return }
    self.state.withLock { $0.cameras[uid] = reason == .remoteUnmuted }
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteAudioStateChangedOfUID uid: UInt, state: RemoteAudioState,
    reason: RemoteAudioStateReason, elapsed: Int
  ) {
    guard reason == .remoteMuted || reason == .remoteUnmuted else { return }
    self.state.withLock { $0.microphones[uid] = reason == .remoteUnmuted }
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, reportAudioVolumeIndicationOf speakers: [AudioVolumeInfo],
    totalVolume: Int
  ) {
    state.withLock { state in
      for speaker in speakers { state.volumes[speaker.uid] = speaker.volume }
    }
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String)
  {
    print("\(message) (\(code))")
  }
}
