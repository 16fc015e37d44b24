import ALSAAudio
import CMediaEngine
import Dispatch
import MediaEngine
import SyntheticMedia
import V4L2Capture

/// An engine behind a handle, with the devices that the program pushes into.
final class EngineBox: Sendable {
  let engine: RTCEngine
  let camera: PushedCamera?
  let microphone: PushedMicrophone?
  private let target: CallbackTarget
  private let queue: DispatchQueue

  init(
    _ description: media_engine_configuration, callbacks: media_engine_callbacks, handle: UInt
  ) throws(EngineErrorCode) {
    camera = description.camera == Self.pushed ? PushedCamera() : nil
    microphone = description.microphone == Self.pushed ? PushedMicrophone() : nil
    queue = DispatchQueue(label: "media-engine.events")
    target = CallbackTarget(callbacks, handle: handle)
    var configuration = RTCEngineConfiguration(server: try text(description.server))
    guard configuration.server.hasPrefix("ws://") || configuration.server.hasPrefix("wss://") else {
      throw .invalidArgument
    }
    configuration.appID = optionalText(description.app_id) ?? ""
    configuration.trustedCertificates = optionalText(description.trusted_certificates)
    configuration.channelProfile = try profile(description.profile) ?? configuration.channelProfile
    configuration.videoSource = try Self.camera(description, pushed: camera)
    configuration.audioSource = try Self.microphone(description, pushed: microphone)
    configuration.playout = try Self.speaker(description)
    if description.audio_bitrate != 0 {
      guard (6_000...510_000).contains(description.audio_bitrate) else { throw .invalidArgument }
      configuration.audioBitrate = Int(description.audio_bitrate)
    }
    configuration.delegateQueue = queue
    engine = RTCEngine(configuration: configuration)
    listen()
  }

  private func listen() {
    if target.hearsEvents { engine.setEventListener { [target] event in target.report(event) } }
    if target.seesPictures { engine.setRemoteVideoFrameObserver { [target] frame in target.report(frame) } }
    if target.hearsSound { engine.setAudioFrameObserver { [target] frame in target.report(frame) } }
  }

  /// Ends everything. From inside a callback the rest happens on another thread, since it waits for the callback's.
  func destroy() {
    target.end()
    if engine.isInsideCallback {
      DispatchQueue.global().async { [self] in finish() }
    } else {
      finish()
    }
  }

  private func finish() {
    engine.destroy()
    // An event's callback may still be running.
    queue.sync {}
    target.tellDestroyed()
  }

  private static let none = Int32(MEDIA_ENGINE_DEVICE_NONE.rawValue)
  private static let pushed = Int32(MEDIA_ENGINE_DEVICE_PUSHED.rawValue)
  private static let system = Int32(MEDIA_ENGINE_DEVICE_SYSTEM.rawValue)
  private static let test = Int32(MEDIA_ENGINE_DEVICE_TEST.rawValue)

  private static func camera(
    _ description: media_engine_configuration, pushed: PushedCamera?
  ) throws(EngineErrorCode) -> (any VideoSource)? {
    switch description.camera {
    case none: return nil
    case Self.pushed: return pushed
    case system: return CameraSource(path: optionalText(description.camera_path))
    case test: return TestPatternSource()
    default: throw .invalidArgument
    }
  }

  private static func microphone(
    _ description: media_engine_configuration, pushed: PushedMicrophone?
  ) throws(EngineErrorCode) -> (any AudioSource)? {
    switch description.microphone {
    case none: return nil
    case Self.pushed: return pushed
    case system: return MicrophoneSource(name: optionalText(description.microphone_name) ?? "default")
    case test: return ToneSource()
    default: throw .invalidArgument
    }
  }

  private static func speaker(_ description: media_engine_configuration) throws(EngineErrorCode) -> (any AudioPlayout)?
  {
    switch description.speaker {
    case none: return nil
    case system: return SpeakerPlayout(name: optionalText(description.speaker_name) ?? "default")
    default: throw .invalidArgument
    }
  }
}
