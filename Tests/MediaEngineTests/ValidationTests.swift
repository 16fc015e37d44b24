import MediaEngine
import Testing

extension EngineTests {
  /// Return codes that need no server.
  @Suite struct ValidationTests {
    private func engine() -> RTCEngine {
      RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9"))
    }

    @Test(arguments: ["", "ünknown", String(repeating: "x", count: 64), "a/b"])
    func `a bad channel name is -102`(name: String) {
      let engine = engine()
      #expect(engine.joinChannel(token: nil, channelID: name, uid: 1, options: ChannelMediaOptions()) == -102)
      engine.destroy()
    }

    @Test(arguments: [
      "", "127.0.0.1:9", "http://127.0.0.1:9", "ws://", "ws://:9", "ws://a:99999", "ws://a:b", "ws://a b:9",
      "ws://[::1",
    ])
    func `a server that is no WebSocket address is -2, and nobody joins`(server: String) {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: server))
      let pair = RTCConnection(channelID: "b", localUID: 1)
      let options = ChannelMediaOptions()
      #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: options) == -2)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == -2)
      #expect(engine.leaveChannel() == -18)
      engine.destroy()
    }

    @Test(arguments: ["ws://127.0.0.1:9", "wss://name", "ws://[::1]:9", "wss://name:9/some/path"])
    func `a server may have a name or an address, a port and a path`(server: String) {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: server))
      #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions()) == 0)
      engine.destroy()
    }

    @Test func `an extra connection with an empty name is -5, with a bad one -102`() {
      let engine = engine()
      let options = ChannelMediaOptions()
      let empty = RTCConnection(channelID: "", localUID: 1)
      let bad = RTCConnection(channelID: "a/b", localUID: 1)
      #expect(engine.joinChannelEx(token: nil, connection: empty, delegate: nil, options: options) == -5)
      #expect(engine.joinChannelEx(token: nil, connection: bad, delegate: nil, options: options) == -102)
      engine.destroy()
    }

    @Test(arguments: [UInt(0), 1 << 32])
    func `an extra connection needs a uid of 1 to 2^32 - 1`(uid: UInt) {
      let engine = engine()
      let connection = RTCConnection(channelID: "a", localUID: uid)
      #expect(
        engine.joinChannelEx(token: nil, connection: connection, delegate: nil, options: ChannelMediaOptions()) == -121)
      engine.destroy()
    }

    @Test func `a second default join and a second join of the same pair are -17`() {
      let engine = engine()
      let options = ChannelMediaOptions()
      let pair = RTCConnection(channelID: "b", localUID: 2)
      #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: options) == 0)
      #expect(engine.joinChannel(token: nil, channelID: "b", uid: 1, options: options) == -17)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == 0)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == -17)
      #expect(engine.leaveChannelEx(pair) == 0)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == 0)
      engine.destroy()
    }

    @Test(arguments: [UInt(0), 1 << 32, 1 << 40]) func `a canvas for a uid that cannot be is -121`(uid: UInt) {
      let engine = engine()
      #expect(engine.setupRemoteVideo(VideoCanvas(uid: uid, target: .closure({ _ in }))) == -121)
      engine.destroy()
    }

    @Test func `updates outside a channel are -8`() {
      let engine = engine()
      let nowhere = RTCConnection(channelID: "a", localUID: 1)
      #expect(engine.updateChannelMediaOptions(ChannelMediaOptions()) == -8)
      #expect(engine.updateChannelMediaOptionsEx(ChannelMediaOptions(), connection: nowhere) == -8)
      #expect(engine.muteLocalVideoStreamEx(true, connection: nowhere) == -8)
      #expect(engine.muteLocalAudioStreamEx(true, connection: nowhere) == -8)
      #expect(engine.renewToken("x") == -8)
      #expect(engine.adjustUserPlaybackSignalVolume(uid: 1, volume: 50) == -8)
      engine.destroy()
    }

    @Test func `leaving without being in a channel is -18`() {
      let engine = engine()
      #expect(engine.leaveChannel() == -18)
      #expect(engine.leaveChannelEx(RTCConnection(channelID: "a", localUID: 1)) == -18)
      engine.destroy()
    }

    @Test func `values out of range are -2 and change nothing`() {
      let engine = engine()
      engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions())
      #expect(engine.setVideoEncoderConfiguration(VideoEncoderConfiguration(width: 0)) == -2)
      #expect(engine.setVideoEncoderConfiguration(VideoEncoderConfiguration(frameRate: 61)) == -2)
      #expect(engine.adjustUserPlaybackSignalVolume(uid: 1, volume: 101) == -2)
      #expect(engine.adjustUserPlaybackSignalVolume(uid: 0, volume: 50) == -121)
      #expect(engine.renewToken("") == -2)
      #expect(engine.updateChannelMediaOptions(ChannelMediaOptions(token: "")) == -2)
      #expect(engine.setupRemoteVideo(VideoCanvas(uid: 1, target: .file(path: "/tmp/x.gif"))) == -2)
      #expect(engine.setupRemoteVideo(VideoCanvas(uid: 0, target: .none)) == -121)
      engine.destroy()
    }

    @Test(arguments: [UInt(0), 1 << 32, .max])
    func `calls about one user's video check user, value and connection`(uid: UInt) {
      let engine = engine()
      let (here, nowhere) = (RTCConnection(channelID: "b", localUID: 1), RTCConnection(channelID: "c", localUID: 1))
      engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions())
      engine.joinChannelEx(token: nil, connection: here, delegate: nil, options: ChannelMediaOptions())
      #expect(engine.setRemoteVideoStreamType(uid: uid, type: .low) == -121)
      #expect(engine.setRemoteVideoStreamTypeEx(uid: uid, type: .low, connection: here) == -121)
      #expect(engine.setRemoteVideoStreamTypeEx(uid: 5, type: .low, connection: nowhere) == -8)
      #expect(engine.setRemoteVideoStreamTypeEx(uid: 5, type: .low, connection: here) == 0)
      #expect(engine.setRemoteVideoTemporalLayerLimit(uid: uid, limit: 1) == -121)
      #expect(engine.setRemoteVideoTemporalLayerLimitEx(uid: 5, limit: 1, connection: nowhere) == -8)
      for limit in [Int.min, -1, 0, 5, .max] {
        #expect(engine.setRemoteVideoTemporalLayerLimit(uid: 5, limit: limit) == -2)
        #expect(engine.setRemoteVideoTemporalLayerLimitEx(uid: 5, limit: limit, connection: here) == -2)
        #expect(engine.setRemoteDefaultVideoTemporalLayerLimit(limit) == -2)
      }
      engine.destroy()
      #expect(engine.setRemoteVideoStreamType(uid: 5, type: .low) == -7)
      #expect(engine.setRemoteDefaultVideoStreamType(.low) == -7)
      #expect(engine.setRemoteSubscribeFallbackOption(.disabled) == -7)
      #expect(engine.setRemoteDefaultVideoTemporalLayerLimit(1) == -7)
      #expect(engine.setDualStreamMode(.enableSimulcastStream) == -7)
    }

    @Test(arguments: [
      VideoEncoderConfiguration(width: 0), VideoEncoderConfiguration(height: -2),
      VideoEncoderConfiguration(width: .max),
      VideoEncoderConfiguration(frameRate: 0), VideoEncoderConfiguration(frameRate: .max),
      VideoEncoderConfiguration(bitrate: .min), VideoEncoderConfiguration(bitrate: .max),
    ])
    func `what cannot be encoded is -2 for every stream`(bad: VideoEncoderConfiguration) {
      let engine = engine()
      let here = RTCConnection(channelID: "b", localUID: 1)
      engine.joinChannelEx(token: nil, connection: here, delegate: nil, options: ChannelMediaOptions())
      #expect(engine.setVideoEncoderConfiguration(bad) == -2)
      #expect(engine.setVideoEncoderConfigurationEx(bad, connection: here) == -2)
      #expect(engine.enableDualStreamMode(true, configuration: bad) == -2)
      for mode in [SimulcastStreamMode.autoSimulcastStream, .disableSimulcastStream, .enableSimulcastStream] {
        #expect(engine.setDualStreamMode(mode, configuration: bad) == -2)
      }
      engine.destroy()
    }

    @Test(arguments: [Int.min, -1, 5_001, .max]) func `a delay of sound out of range is -2, and nobody joins`(
      delay: Int
    ) {
      let engine = engine()
      let (options, pair) = (
        ChannelMediaOptions(audioDelayMilliseconds: delay), RTCConnection(channelID: "b", localUID: 1)
      )
      #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: options) == -2)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == -2)
      #expect(engine.leaveChannel() == -18)
      engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions())
      #expect(engine.updateChannelMediaOptions(options) == -2)
      engine.destroy()
    }

    @Test func `after destroy everything is -7`() {
      let engine = engine()
      engine.destroy()
      engine.destroy()
      #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions()) == -7)
      #expect(engine.leaveChannel() == -7)
      #expect(engine.updateChannelMediaOptions(ChannelMediaOptions()) == -7)
      #expect(engine.enableLocalVideo(true) == -7)
      #expect(engine.setupLocalVideo(VideoCanvas(target: .closure { _ in })) == -7)
      #expect(engine.statistics() == nil)
      #expect(engine.connectionState() == .disconnected)
    }

    @Test func `a server that is not there is an error, and the connection keeps trying`() async {
      let recorder = Recorder()
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9"), delegate: recorder)
      #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions()) == 0)
      #expect(await recorder.heard("state 4,2"))
      #expect(recorder.log == ["state 2,0", "error 14", "state 4,2"])
      engine.destroy()
    }
  }
}
