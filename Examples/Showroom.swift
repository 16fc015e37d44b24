import MediaEngine

/// Showrooms: hosts with viewers, two hosts in a contest, a viewer who comes on stage.
enum Showroom {
  static func run() async throws {
    let place = try Place()
    let (hostA, hostB, viewer) = (Member(1, place), Member(2, place), Member(3, place))

    // Two rooms, one viewer in the first.
    try hostA.open("A")
    try hostB.open("B")
    let stage = View("room A at the viewer")
    try viewer.watch("A", host: 1, stage)
    try await stage.showsPictures()

    // The contest: everybody joins the other room too, receives there and publishes nothing.
    let (bAtA, aAtB, bAtViewer) = (View("host B at host A"), View("host A at host B"), View("room B at the viewer"))
    try hostA.watch("B", host: 2, bAtA)
    try hostB.watch("A", host: 1, aAtB)
    try viewer.watch("B", host: 2, bAtViewer)
    for view in [bAtA, aAtB, bAtViewer] { try await view.showsPictures() }
    try hostA.leave("B")
    try hostB.leave("A")
    try viewer.leave("B")

    // The viewer on stage: promoted in the same room, seen by the host, and back.
    let guest = View("the guest at host A")
    hostA.engine.setupRemoteVideoEx(VideoCanvas(uid: 3, target: guest.target), connection: hostA.connection("A"))
    let preview = View("the guest's own picture")
    try viewer.goOnStage("A", preview)
    try await guest.showsPictures()
    try await preview.showsPictures()
    try viewer.leaveStage("A")
    try await eventually("the guest is still on stage") {
      hostA.engine.statistics(of: hostA.connection("A"))?.remote.isEmpty ?? false
    }
    try await stage.showsPictures()
    for member in [viewer, hostA, hostB] { member.engine.destroy() }
  }
}

/// One user of the showrooms.
private struct Member {
  let uid: UInt
  let engine: RTCEngine

  init(_ uid: UInt, _ place: Place) {
    self.uid = uid
    engine = RTCEngine(configuration: place.configuration())
  }

  func connection(_ room: String) -> RTCConnection { RTCConnection(channelID: room, localUID: uid) }

  /// Opens a room as its host.
  func open(_ room: String) throws {
    engine.setupLocalVideo(VideoCanvas(target: .closure { _ in }, mirrorMode: .disabled))
    engine.enableAudio()
    engine.enableVideo()
    engine.startPreview()
    let options = ChannelMediaOptions(
      publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster)
    try check(
      "opening",
      engine.joinChannelEx(token: nil, connection: connection(room), delegate: nil, options: options) { room, uid, ms in
        print("host \(uid) is in room \(room) after \(ms) ms")
      })
    try check(
      "the host's picture size",
      engine.setVideoEncoderConfigurationEx(
        VideoEncoderConfiguration(width: 320, height: 180, frameRate: 15), connection: connection(room)))
  }

  /// Joins a room to receive its host, at first without receiving anything: a room may be joined before it is shown.
  func watch(_ room: String, host: UInt, _ view: View) throws {
    var options = ChannelMediaOptions(
      publishCameraTrack: false, publishMicrophoneTrack: false, autoSubscribeAudio: false, autoSubscribeVideo: false,
      clientRoleType: .audience)
    options.audienceLatencyLevel = .lowLatency
    try check(
      "watching", engine.joinChannelEx(token: nil, connection: connection(room), delegate: nil, options: options))
    engine.setupRemoteVideoEx(VideoCanvas(uid: host, target: view.target), connection: connection(room))
    try check(
      "receiving",
      engine.updateChannelMediaOptionsEx(
        ChannelMediaOptions(autoSubscribeAudio: true, autoSubscribeVideo: true), connection: connection(room)))
  }

  func leave(_ room: String) throws { try check("leaving", engine.leaveChannelEx(connection(room))) }

  func goOnStage(_ room: String, _ view: View) throws {
    let options = ChannelMediaOptions(
      publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster,
      audienceLatencyLevel: .ultraLowLatency)
    try check("going on stage", engine.updateChannelMediaOptionsEx(options, connection: connection(room)))
    engine.setupLocalVideo(VideoCanvas(uid: uid, target: view.target))
    engine.startPreview()
  }

  func leaveStage(_ room: String) throws {
    let options = ChannelMediaOptions(
      publishCameraTrack: false, publishMicrophoneTrack: false, clientRoleType: .audience,
      audienceLatencyLevel: .lowLatency)
    try check("leaving the stage", engine.updateChannelMediaOptionsEx(options, connection: connection(room)))
    engine.setupLocalVideo(nil)
    engine.stopPreview()
  }
}
