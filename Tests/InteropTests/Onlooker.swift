import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia

/// A native user who watches one by WebRTC and notes what comes.
final class Onlooker: RTCEngineDelegate {
  private struct Seen {
    var pictures = 0
    var sounds = 0
    var luma: [Int] = []
    var hasLeft = false
  }

  private let seen = Mutex(Seen())
  private let engine: RTCEngine

  init(at address: String, watching uid: UInt, as own: UInt = 2) {
    engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://\(address)"))
    engine.addDelegate(self)
    engine.setRemoteVideoFrameObserver { [weak self] remote in
      guard remote.uid == uid else { return }
      self?.note(remote.frame)
    }
    engine.setAudioFrameObserver { [weak self] observed in
      guard case .beforeMixing(_, uid) = observed.position,
        observed.frame.samples.contains(where: { abs(Int($0)) > 500 })
      else { return }
      self?.seen.withLock { $0.sounds += 1 }
    }
    engine.joinChannel(
      token: nil, channelID: "show", uid: own, options: ChannelMediaOptions(clientRoleType: .audience))
  }

  /// The brightness in the middle of the first row's halves.
  private func note(_ frame: VideoFrame) {
    let luma = [frame.width / 4, 3 * frame.width / 4].map { Int(frame.planeY[$0]) }
    seen.withLock { seen in
      seen.pictures += 1
      seen.luma = luma
    }
  }

  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason
  ) { seen.withLock { $0.hasLeft = true } }

  var pictures: Int { seen.withLock { $0.pictures } }
  var sounds: Int { seen.withLock { $0.sounds } }
  var luma: [Int] { seen.withLock { $0.luma } }
  var hasSeenItLeave: Bool { seen.withLock { $0.hasLeft } }
  func leave() { engine.destroy() }
}

/// A native user who publishes a test pattern and a tone.
final class Performer: Sendable {
  private let engine: RTCEngine

  init(at address: String, uid: UInt) {
    engine = RTCEngine(
      configuration: RTCEngineConfiguration(
        server: "ws://\(address)", videoSource: TestPatternSource(), audioSource: ToneSource(),
        videoEncoderConfiguration: VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30)))
    engine.joinChannel(
      token: nil, channelID: "show", uid: uid,
      options: ChannelMediaOptions(
        publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster))
  }

  /// Goes off the stage, or comes back.
  func step(onStage: Bool) { engine.setClientRole(onStage ? .broadcaster : .audience) }

  func leave() { engine.destroy() }
}
