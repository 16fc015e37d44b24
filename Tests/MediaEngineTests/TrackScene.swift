import MediaEngine
import TestSupport

/// A host that publishes tracks of its own on channels `a` and `b`, and a viewer of both who notes what it sees and hears.
final class TrackScene {
  let stage: Stage
  let host: RTCEngine
  let viewer: RTCEngine
  let seen = BrightnessLog()
  let tones = ToneLog()
  let a = RTCConnection(channelID: "a", localUID: 1)
  let b = RTCConnection(channelID: "b", localUID: 1)
  let viewerA = RTCConnection(channelID: "a", localUID: 2)
  let viewerB = RTCConnection(channelID: "b", localUID: 2)
  let log = Recorder()
  let viewerLog = Recorder()

  init(_ makeHost: (Stage, Recorder) -> RTCEngine) throws {
    stage = try Stage()
    host = makeHost(stage, log)
    viewer = stage.engine(nil, video: false, audio: false)
    seen.observe(viewer)
    tones.observe(viewer)
    for connection in [viewerA, viewerB] {
      viewer.joinChannelEx(token: nil, connection: connection, delegate: viewerLog, options: ChannelMediaOptions())
    }
  }

  func join(_ connection: RTCConnection, _ options: ChannelMediaOptions) -> Int {
    host.joinChannelEx(token: nil, connection: connection, delegate: log, options: options)
  }

  func update(_ options: ChannelMediaOptions, _ connection: RTCConnection? = nil) -> Int {
    host.updateChannelMediaOptionsEx(options, connection: connection ?? a)
  }

  deinit {
    host.destroy()
    viewer.destroy()
  }
}
