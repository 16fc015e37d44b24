import AccessTokens
import ChannelServer
import Foundation
import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// Engines at a server that wants tokens.
  @Suite struct TokenTests {
    private static let appID = "0123456789abcdef0123456789abcdef"
    private static let certificate = "fedcba9876543210fedcba9876543210"

    private func stage() throws -> Stage {
      try Stage(tokens: TokenPolicy(appID: Self.appID, certificates: [Self.certificate]))
    }

    private func token(
      channel: String = "show", uid: UInt, publishes: Bool = true, lifetime: UInt32 = 600,
      without: TokenPrivilege? = nil
    ) throws -> String {
      var service = RTCTokenService(channel: channel, uid: uid, publishes: publishes)
      if let without { service.privileges[without] = nil }
      return try AccessToken(
        appID: Self.appID, issueTime: UInt32(Date().timeIntervalSince1970), lifetime: lifetime, salt: 7,
        services: [.rtc(service)]
      ).text(certificate: Self.certificate, crypto: .system)
    }

    @Test func `after a token that is refused, mute still takes the camera off the air`() async throws {
      let stage = try stage()
      let (log, viewerLog, pictures) = (Recorder(), Recorder(), PictureCounter())
      let (host, viewer) = (stage.engine(log), stage.engine(viewerLog))
      pictures.observe(viewer)
      host.joinChannel(token: try token(uid: 1), channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: try token(uid: 2), channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await pictures.getsMore(1))
      #expect(host.renewToken(try token(channel: "other", uid: 1)) == 0)
      #expect(await log.heard("token renewed 4"))
      #expect(host.muteLocalVideoStream(true) == 0)
      #expect(await viewerLog.heard("video 1 0,5"))
      let count = pictures.count(1)
      #expect(host.muteLocalAudioStream(true) == 0)
      #expect(await viewerLog.heard("audio 1 0,5"))
      #expect(log.log.count { $0.hasPrefix("token renewed") } == 1)
      #expect(pictures.count(1) == count)
      host.destroy()
      viewer.destroy()
    }

    @Test func `each call that renews is answered, also with the token in use`() async throws {
      let stage = try stage()
      let log = Recorder()
      let host = stage.engine(log, video: false, audio: false)
      let first = try token(uid: 1)
      host.joinChannel(token: first, channelID: "show", uid: 1, options: ChannelMediaOptions())
      #expect(await log.heard("joined show/1"))
      for count in 1...3 {
        #expect(host.renewToken(first) == 0)
        #expect(await log.heard("token renewed 0", count: count))
      }
      #expect(host.updateChannelMediaOptions(ChannelMediaOptions(token: first)) == 0)
      #expect(await log.heard("token renewed 0", count: 4))
      let bad = try token(channel: "other", uid: 1)
      for count in 1...2 {
        #expect(host.renewToken(bad) == 0)
        #expect(await log.heard("token renewed 4", count: count))
      }
      host.destroy()
    }

    @Test func `who may not publish data is refused by the engine, and sends with a better token`() async throws {
      let stage = try stage()
      let (log, listener) = (Recorder(), MessageCounter())
      let (host, viewer) = (stage.engine(log, video: false), stage.engine(nil))
      viewer.addDelegate(listener)
      viewer.joinChannel(token: try token(uid: 2), channelID: "show", uid: 2, options: ChannelMediaOptions())
      host.joinChannel(
        token: try token(uid: 1, without: .publishData), channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await log.heard("joined show/1"))
      #expect(await log.heard("audio published"))
      // Opening a stream sends nothing; it serves once the token is better.
      let stream = host.createDataStream()
      #expect(stream == 1)
      #expect(host.sendStreamMessage(streamID: stream, data: [1]) == -9)
      #expect(host.renewToken(try token(uid: 1)) == 0)
      #expect(await log.heard("token renewed 0"))
      #expect(host.sendStreamMessage(streamID: stream, data: [2]) == 0)
      #expect(await eventually { listener.messages == [[2]] })
      #expect(host.renewToken(try token(uid: 1, without: .publishData)) == 0)
      #expect(await log.heard("token renewed 0", count: 2))
      #expect(host.sendStreamMessage(streamID: stream, data: [3]) == -9)
      #expect(!log.log.contains("error 9"))
      host.destroy()
      viewer.destroy()
    }

    @Test func `the application's own tracks need the token's rights as camera and microphone do`() async throws {
      let stage = try stage()
      let host = stage.engine(nil, video: false, audio: false)
      let viewer = stage.engine(nil, video: false, audio: false)
      let (video, audio) = (host.createCustomVideoTrack(), host.createCustomAudioTrack())
      let feeders = [
        TrackFeeder(host, track: video, brightness: 60), TrackFeeder(host, track: audio, tone: 400),
      ]
      let (pictures, tones) = (PictureCounter(), ToneLog())
      pictures.observe(viewer)
      tones.observe(viewer)
      viewer.joinChannel(token: try token(uid: 2), channelID: "show", uid: 2, options: ChannelMediaOptions())
      host.joinChannel(
        token: try token(uid: 1, without: .publishVideo), channelID: "show", uid: 1,
        options: ChannelMediaOptions(
          clientRoleType: .broadcaster, publishCustomVideoTrack: true, customVideoTrackID: video,
          publishCustomAudioTrack: true, publishCustomAudioTrackID: audio))
      #expect(await tones.hears([400], "show"))
      #expect(pictures.count(1) == 0)
      #expect(host.renewToken(try token(uid: 1)) == 0)
      #expect(await pictures.getsMore(1))
      for feeder in feeders { feeder.stop() }
      for engine in [host, viewer] { engine.destroy() }
    }

    /// Notes the messages of data streams.
    private final class MessageCounter: RTCEngineDelegate {
      private let state = Mutex<[[UInt8]]>([])
      var messages: [[UInt8]] { state.withLock { $0 } }

      func rtcEngine(
        _ engine: RTCEngine, connection: RTCConnection, receiveStreamMessageFromUID uid: UInt, streamID: Int,
        data: [UInt8]
      ) { state.withLock { $0.append(data) } }
    }

    @Test func `who may not publish joins as audience, is told so, and publishes with a better token`() async throws {
      let stage = try stage()
      let (log, pictures) = (Recorder(), PictureCounter())
      let (guest, viewer) = (stage.engine(log), stage.engine(nil))
      pictures.observe(viewer)
      viewer.joinChannel(token: try token(uid: 2), channelID: "show", uid: 2, options: ChannelMediaOptions())
      guest.joinChannel(
        token: try token(uid: 1, publishes: false), channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await log.heard("joined show/1"))
      #expect(log.log.contains("role failed 2, still 2"))
      // The refusal has come from the intent too: asking again is a change again.
      #expect(guest.setClientRole(.broadcaster) == 0)
      #expect(await log.heard("role failed 2, still 2", count: 2))
      #expect(guest.renewToken(try token(uid: 1)) == 0)
      #expect(guest.setClientRole(.broadcaster) == 0)
      #expect(await log.heard("role 2 to 1"))
      #expect(await pictures.getsMore(1))
      #expect(!log.log.contains { $0.hasPrefix("state 5") })
      guest.destroy()
      viewer.destroy()
    }

    @Test(arguments: [true, false])
    func `who joins again when told that the token has run out is in again, without leaving`(isDefault: Bool)
      async throws
    {
      let stage = try stage()
      let log = Recorder()
      let rejoiner = Rejoiner(token: try token(uid: 1), isDefault: isDefault)
      let engine = stage.engine(log, video: false)
      engine.addDelegate(rejoiner)
      let short = try token(uid: 1, lifetime: 2)
      #expect(rejoiner.join(engine, short) == 0)
      #expect(rejoiner.join(engine, short) == -17)
      #expect(await log.heard("joined show/1", count: 2))
      #expect(rejoiner.codes.withLock { $0 } == [0])
      #expect(log.log.count { $0 == "left show" } == 1)
      #expect(await log.heard("audio published", count: 2))
      engine.destroy()
    }

    @Test(arguments: [true, false])
    func `who gives a new token when told that it has run out is in again, with all that was wanted`(isDefault: Bool)
      async throws
    {
      let stage = try stage()
      let (log, viewerLog, pictures) = (Recorder(), Recorder(), PictureCounter())
      let renewer = Rejoiner(token: try token(uid: 1), isDefault: isDefault, renews: true)
      let (host, viewer) = (stage.engine(log), stage.engine(viewerLog))
      pictures.observe(viewer)
      host.addDelegate(renewer)
      viewer.joinChannel(token: try token(uid: 2), channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(renewer.join(host, try token(uid: 1, lifetime: 2)) == 0)
      #expect(await pictures.getsMore(1))
      #expect(await viewerLog.heard("user 1 offline 1"))
      #expect(await log.heard("token renewed 0"))
      #expect(renewer.codes.withLock { $0 } == [0])
      #expect(await viewerLog.heard("user 1 joined", count: 2))
      #expect(await pictures.getsMore(1))
      #expect(!log.log.contains("left show"))
      // In use: neither joined again nor failed.
      #expect(renewer.join(host, "") == -17)
      host.destroy()
      viewer.destroy()
    }

    /// Joins again from inside the callback that asks for a token, or gives one.
    private final class Rejoiner: RTCEngineDelegate {
      let codes = Mutex<[Int]>([])
      private let token: String
      private let isDefault: Bool
      private let renews: Bool

      init(token: String, isDefault: Bool, renews: Bool = false) {
        (self.token, self.isDefault, self.renews) = (token, isDefault, renews)
      }

      func join(_ engine: RTCEngine, _ token: String) -> Int {
        let options = Stage.broadcaster
        if isDefault { return engine.joinChannel(token: token, channelID: "show", uid: 1, options: options) }
        let pair = RTCConnection(channelID: "show", localUID: 1)
        return engine.joinChannelEx(token: token, connection: pair, delegate: nil, options: options)
      }

      func rtcEngineRequestToken(_ engine: RTCEngine, connection: RTCConnection) {
        let code =
          !renews
          ? join(engine, token)
          : isDefault
            ? engine.renewToken(token)
            : engine.updateChannelMediaOptionsEx(ChannelMediaOptions(token: token), connection: connection)
        codes.withLock { $0.append(code) }
      }
    }

    @Test func `a role that is asked for right after the join call is told of`() async throws {
      let stage = try stage()
      let log = Recorder()
      let engine = stage.engine(log)
      engine.joinChannel(token: try token(uid: 1), channelID: "show", uid: 1, options: ChannelMediaOptions())
      #expect(engine.setClientRole(.broadcaster) == 0)
      #expect(await log.heard("role 2 to 1"))
      engine.destroy()
    }
  }
}
