import ChannelServer
import LinuxIO
import MediaEngine
import Synchronization
import SyntheticMedia
import TestSupport

/// A channel server in this process and engines that use it over loopback.
final class Stage {
  let server: ChannelServer
  let url: String

  /// - Parameter tokens: who may enter; `nil` for everybody.
  init(tokens: TokenPolicy? = nil) throws {
    var configuration = ChannelServerConfiguration(
      httpHost: "127.0.0.1", httpPort: 0, udpHost: "127.0.0.1", udpPort: 0, workers: 1, development: tokens == nil)
    configuration.tokens = tokens
    server = ChannelServer(configuration: configuration)
    try server.start()
    url = "ws://127.0.0.1:\(server.boundHTTPPort)"
  }

  deinit { server.stop() }

  /// An engine with a moving picture and a tone for devices.
  func engine(_ delegate: Recorder?, video: Bool = true, audio: Bool = true) -> RTCEngine {
    RTCEngine(
      configuration: RTCEngineConfiguration(
        server: url, videoSource: video ? TestPatternSource() : nil, audioSource: audio ? ToneSource() : nil,
        videoEncoderConfiguration: VideoEncoderConfiguration(
          width: 320, height: 180, frameRate: 30, bitrate: 300, degradationPreference: .quality)),
      delegate: delegate)
  }

  static let broadcaster = ChannelMediaOptions(
    publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster)
}

/// Counts the decoded pictures of each user and keeps the newest burnt-in time.
final class PictureCounter: Sendable {
  private let state = Mutex<[UInt: (count: Int, clock: MediaInstant?)]>([:])

  func count(_ uid: UInt) -> Int { state.withLock { $0[uid]?.count ?? 0 } }

  func clock(_ uid: UInt) -> MediaInstant? { state.withLock { $0[uid]?.clock } }

  func observe(_ engine: RTCEngine) {
    engine.setRemoteVideoFrameObserver { [self] in note($0) }
  }

  func note(_ frame: RemoteVideoFrame) {
    let clock = FrameClock.read(frame.frame)
    state.withLock { state in
      state[frame.uid] = ((state[frame.uid]?.count ?? 0) + 1, clock ?? state[frame.uid]?.clock)
    }
  }

  /// Waits for `more` further pictures of a user.
  func getsMore(_ uid: UInt, _ more: Int = 5) async -> Bool {
    let start = count(uid)
    return await eventually { self.count(uid) >= start + more }
  }
}
