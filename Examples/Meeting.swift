import MediaEngine
import Synchronization

/// A meeting: everybody's pictures in a list that follows who comes, goes and turns the camera off. Written with event
/// streams and asynchronous calls instead of a delegate.
enum Meeting {
  static func run() async throws {
    let place = try Place()
    let engines = (1...3).map { _ in RTCEngine(configuration: place.configuration()) }
    let lists = engines.map { Pictures($0) }
    for (index, engine) in engines.enumerated() {
      engine.setClientRole(.broadcaster)
      engine.setAudioProfile(.musicHighQuality, scenario: .gameStreaming)
      engine.setVideoEncoderConfiguration(
        VideoEncoderConfiguration(width: 320, height: 180, frameRate: 20, bitrate: 300, orientationMode: .adaptive))
      engine.setupLocalVideo(VideoCanvas(target: .closure { _ in }))
      engine.startPreview()
      let result = try await engine.join(channelID: "meeting", uid: UInt(index + 1), options: ChannelMediaOptions())
      print("\(result.connection) after \(result.elapsed) ms")
    }
    for (index, list) in lists.enumerated() {
      let others = Set((1...3).map { UInt($0) }.filter { $0 != UInt(index + 1) })
      try await eventually("\(index + 1) does not see everybody") { list.shown == others }
    }
    print("everybody sees everybody")
    try check("turning the camera off", engines[0].muteLocalVideoStream(true))
    try await eventually("the picture is still there") { lists[1].shown == [3] && lists[2].shown == [2] }
    engines[2].stopPreview()
    let totals = try await engines[2].leave(RTCConnection(channelID: "meeting", localUID: 3))
    print("3 was there for \(totals.duration) s")
    try await eventually("3 is still shown") { lists[1].shown.isEmpty }
    for engine in engines { engine.destroy() }
  }
}

/// Whose picture is in the list: a view is bound when there is something to see, and let go when there is not.
private final class Pictures: Sendable {
  private let views = Mutex<[UInt: View]>([:])

  var shown: Set<UInt> { views.withLock { Set($0.keys) } }

  init(_ engine: RTCEngine) {
    let events = engine.events
    Task { [weak self, weak engine] in
      for await event in events {
        guard let self, let engine else { return }
        switch event {
        case .remoteVideoState(_, let uid, .decoding, _, _): self.bind(uid, engine)
        case .remoteVideoState(_, let uid, .stopped, _, _), .userOffline(_, let uid, _): self.release(uid, engine)
        default: break
        }
      }
    }
  }

  private func bind(_ uid: UInt, _ engine: RTCEngine) {
    guard views.withLock({ $0[uid] == nil }) else { return }
    let view = View("user \(uid)")
    engine.setupRemoteVideo(VideoCanvas(uid: uid, target: view.target))
    views.withLock { $0[uid] = view }
  }

  private func release(_ uid: UInt, _ engine: RTCEngine) {
    guard views.withLock({ $0.removeValue(forKey: uid) }) != nil else { return }
    engine.setupRemoteVideo(VideoCanvas(uid: uid, target: .none))
  }
}
