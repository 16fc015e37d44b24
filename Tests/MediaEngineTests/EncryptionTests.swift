import MediaEngine
import Testing

extension EngineTests {
  /// Encryption between the ends: real engines and codecs, and the real server between them.
  @Suite struct EncryptionTests {
    private static let key = EncryptionConfiguration(key: "0123456789abcdef", salt: [UInt8](repeating: 3, count: 32))

    private func viewer(
      _ stage: Stage, _ uid: UInt, _ configuration: EncryptionConfiguration?
    ) -> (engine: RTCEngine, log: StreamRecorder, pictures: PictureCounter) {
      let (log, pictures) = (StreamRecorder(), PictureCounter())
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: stage.url), delegate: log)
      pictures.observe(engine)
      if let configuration { #expect(engine.enableEncryption(true, configuration: configuration) == 0) }
      engine.joinChannel(token: nil, channelID: "show", uid: uid, options: ChannelMediaOptions())
      return (engine, log, pictures)
    }

    @Test(arguments: [EncryptionMode.aes128GCM2, .aes256GCM2, .aes128GCM, .aes256GCM])
    func `only those with the same key and mode see and hear`(mode: EncryptionMode) async throws {
      let stage = try Stage()
      var configuration = Self.key
      configuration.mode = mode
      var wrong = configuration
      wrong.key += "0"
      let host = stage.engine(nil)
      #expect(host.enableEncryption(true, configuration: configuration) == 0)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      let right = viewer(stage, 2, configuration)
      let others = [viewer(stage, 3, wrong), viewer(stage, 4, nil)]
      #expect(await right.pictures.getsMore(1, 10))
      #expect(right.pictures.clock(1) != nil)
      #expect(await right.log.heard("audio decoded 1"))
      for other in others {
        #expect(await other.log.heard("encryption 1 1"))
        #expect(await other.log.heard("error 120"))
      }
      #expect(await right.pictures.getsMore(1, 10))
      for other in others {
        #expect(other.pictures.count(1) == 0)
        #expect(!other.log.log.contains { $0.hasPrefix("decoded") || $0.hasPrefix("audio decoded") })
        other.engine.destroy()
      }
      #expect(!right.log.log.contains { $0.hasPrefix("encryption") || $0.hasPrefix("error") })
      host.destroy()
      right.engine.destroy()
    }

    @Test func `the application's own tracks are for those with the key alone`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil, video: false, audio: false)
      let (video, audio) = (host.createCustomVideoTrack(), host.createCustomAudioTrack())
      let feeders = [
        TrackFeeder(host, track: video, brightness: 60), TrackFeeder(host, track: audio, tone: 400),
      ]
      #expect(host.enableEncryption(true, configuration: Self.key) == 0)
      host.joinChannel(
        token: nil, channelID: "show", uid: 1,
        options: ChannelMediaOptions(
          clientRoleType: .broadcaster, publishCustomVideoTrack: true, customVideoTrackID: video,
          publishCustomAudioTrack: true, publishCustomAudioTrackID: audio))
      let (right, without) = (viewer(stage, 2, Self.key), viewer(stage, 3, nil))
      let (tones, noise) = (ToneLog(), ToneLog())
      tones.observe(right.engine)
      noise.observe(without.engine)
      #expect(await right.pictures.getsMore(1))
      #expect(await tones.hears([400], "show"))
      #expect(await without.log.heard("encryption 1 1"))
      #expect(without.pictures.count(1) == 0 && noise.all("show").isEmpty)
      for feeder in feeders { feeder.stop() }
      for engine in [host, right.engine, without.engine] { engine.destroy() }
    }

    @Test func `a connection that is to be encrypted and has no key is not joined`() {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9"))
      let options = ChannelMediaOptions(enableBuiltInMediaEncryption: true)
      let pair = RTCConnection(channelID: "show", localUID: 1)
      #expect(engine.joinChannel(token: nil, channelID: "show", uid: 1, options: options) == -2)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == -2)
      engine.enableEncryption(true, configuration: Self.key)
      #expect(engine.joinChannel(token: nil, channelID: "show", uid: 2, options: options) == 0)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == 0)
      engine.destroy()
    }

    @Test func `a new key, the ratchet and the same key after rejoining are followed`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      host.enableEncryption(true, configuration: Self.key)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      let viewer = viewer(stage, 2, Self.key)
      #expect(await viewer.pictures.getsMore(1))
      let next = EncryptionConfiguration(key: "fedcba9876543210")
      #expect(viewer.engine.enableEncryption(true, configuration: next) == 0)
      #expect(host.enableEncryption(true, configuration: next) == 0)
      #expect(await viewer.pictures.getsMore(1, 10))
      for _ in 0..<20 { #expect(host.ratchetEncryptionKey() == 0) }
      #expect(await viewer.pictures.getsMore(1, 10))
      viewer.engine.leaveChannel()
      viewer.engine.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await viewer.log.heard("decoded 1 320x180", count: 2))
      #expect(!viewer.log.log.contains { $0.hasPrefix("encryption") }, "\(viewer.log.log)")
      host.destroy()
      viewer.engine.destroy()
    }

    @Test func `each connection has its own encryption, and extra ones begin without unless they ask`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      host.enableEncryption(true, configuration: Self.key)
      let (plain, encrypted) = (
        RTCConnection(channelID: "show", localUID: 1), RTCConnection(channelID: "room", localUID: 1)
      )
      host.joinChannelEx(token: nil, connection: plain, delegate: nil, options: Stage.broadcaster)
      var options = Stage.broadcaster
      options.enableBuiltInMediaEncryption = true
      host.joinChannelEx(token: nil, connection: encrypted, delegate: nil, options: options)
      let outsider = viewer(stage, 2, nil)
      let room = RTCConnection(channelID: "room", localUID: 2)
      let roomLog = StreamRecorder()
      outsider.engine.joinChannelEx(token: nil, connection: room, delegate: roomLog, options: ChannelMediaOptions())
      #expect(await outsider.log.heard("decoded 1 320x180"))
      #expect(await roomLog.heard("encryption 1 1"))
      #expect(!roomLog.log.contains { $0.hasPrefix("decoded") })
      #expect(outsider.engine.enableEncryptionEx(true, configuration: Self.key, connection: room) == 0)
      #expect(await roomLog.heard("decoded 1 320x180"))
      #expect(!outsider.log.log.contains { $0.hasPrefix("encryption") })
      host.destroy()
      outsider.engine.destroy()
    }

    @Test func `messages are encrypted too`() async throws {
      let stage = try Stage()
      let hostLog = StreamRecorder()
      let host = stage.engine(nil)
      host.addDelegate(hostLog)
      host.enableEncryption(true, configuration: Self.key)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      let (right, plain) = (viewer(stage, 2, Self.key), viewer(stage, 3, nil))
      #expect(await right.pictures.getsMore(1))
      #expect(await plain.log.heard("encryption 1 1"))
      let stream = host.createDataStream()
      #expect(host.sendStreamMessage(streamID: stream, data: [1, 2, 3]) == 0)
      #expect(await right.log.heard("data 1/1 [1, 2, 3]"))
      #expect(await plain.log.heard("encryption 1 3"))
      #expect(await plain.log.heard("error 122"))
      #expect(!plain.log.log.contains { $0.hasPrefix("data") })
      for engine in [host, right.engine, plain.engine] { engine.destroy() }
    }

    @Test func `bad keys, salts and modes have their codes and change nothing`() {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9"))
      func enable(_ configuration: EncryptionConfiguration) -> Int {
        engine.enableEncryption(true, configuration: configuration)
      }
      #expect(enable(EncryptionConfiguration(key: "")) == -2)
      #expect(enable(EncryptionConfiguration(key: "k", salt: [1])) == -2)
      #expect(enable(EncryptionConfiguration(key: "k", salt: [UInt8](repeating: 0, count: 33))) == -2)
      for mode in [EncryptionMode.aes128XTS, .aes128ECB, .aes256XTS, .sm4128ECB] {
        #expect(enable(EncryptionConfiguration(mode: mode, key: "k")) == -4)
      }
      #expect(!engine.isEncryptionEnabled)
      let pair = RTCConnection(channelID: "a", localUID: 1)
      #expect(engine.enableEncryptionEx(true, configuration: Self.key, connection: pair) == -8)
      #expect(engine.ratchetEncryptionKey() == -8)
      let options = ChannelMediaOptions(enableBuiltInMediaEncryption: true)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == -2)
      #expect(enable(Self.key) == 0)
      #expect(engine.isEncryptionEnabled)
      #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == 0)
      #expect(engine.ratchetEncryptionKey(connection: pair) == 0)
      #expect(engine.enableEncryption(false, configuration: EncryptionConfiguration(key: "")) == 0)
      #expect(!engine.isEncryptionEnabled)
      engine.destroy()
      #expect(enable(Self.key) == -7)
      #expect(engine.enableEncryptionEx(true, configuration: Self.key, connection: pair) == -7)
    }

    @Test func `a key is not printed`() {
      let configuration = EncryptionConfiguration(key: "very secret")
      #expect(!"\(configuration)".contains("secret") && !String(reflecting: configuration).contains("secret"))
      var text = ""
      dump(configuration, to: &text)
      #expect(!text.contains("secret"))
    }
  }
}
