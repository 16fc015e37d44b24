import AudioProcessing
import ControlWire
import EngineCore
import MediaBase

/// Everything the application's calls have asked for: a plain value behind the engine's lock. What follows from it (what
/// to publish, which devices to run) is computed here and carried out elsewhere.
struct EngineIntent {
  var isDestroyed = false
  let hasCamera: Bool
  let hasMicrophone: Bool
  let profile: ChannelProfile
  /// Set by `setClientRole` for the next default join.
  var role: ClientRole?
  var latencyLevel = AudienceLatencyLevel.ultraLowLatency
  var encoder: VideoEncoderConfiguration
  /// Whether a smaller stream is sent beside the camera's, and what it is if the application has said so.
  var simulcastMode = SimulcastStreamMode.autoSimulcastStream
  var lowEncoder: VideoEncoderConfiguration?
  /// Of users for whom nothing else has been said, on connections that are joined from now on.
  var defaultStreamType = VideoStreamType.high
  /// What may become of received videos that the network does not carry.
  var fallback = StreamFallbackOption.audioOnly
  var isLocalVideoEnabled = true
  var isLocalAudioEnabled = true
  var isPreviewing = false
  var isVideoModuleOn = true
  var isAudioModuleOn = true
  /// What has been muted without a default connection: the next one begins so.
  var isNextVideoMuted = false
  var isNextAudioMuted = false
  /// Encryption between the ends for default joins, and for others that ask for it.
  var encryption: FrameEncryptionSettings?
  var audioProfile = AudioProfile.default
  var audioScenario = AudioScenario.default
  /// What the application has asked for in place of what the scenario says.
  var audioProcessing: AudioProcessingOptions?
  /// How long the echo test listens before it plays, in seconds; `nil` without one.
  var echoTestInterval: Int?
  /// The last leave call has asked for the microphone to go on.
  var keepsMicrophone = false
  var hasCameraFailed = false { didSet { if oldValue, !hasCameraFailed { cameraAttempt += 1 } } }
  var hasMicrophoneFailed = false { didSet { if oldValue, !hasMicrophoneFailed { microphoneAttempt += 1 } } }
  var cameraAttempt = 0
  var microphoneAttempt = 0
  var connections: [ConnectionIntent] = []
  var nextID = 1
  /// The application's own tracks.
  var customVideoTracks: [Int: LocalVideoTrack] = [:]
  var customAudioTracks: [Int: AudioTrackType] = [:]
  /// No number is used twice: what is pushed to a track that is gone never reaches another one.
  var nextTrackID = 1

  /// As many tracks there are at most.
  static let mostTracks = 64

  mutating func takeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  func index(of connection: RTCConnection) -> Int? { connections.firstIndex { $0.isNamed(connection) } }

  /// The connection, or the default one if none is named, unless it has failed.
  func usableIndex(of connection: RTCConnection?) -> Int? {
    guard let index = connection.map({ index(of: $0) }) ?? defaultIndex, !connections[index].hasFailed else {
      return nil
    }
    return index
  }

  /// The connection, or the default one if none is named, that is there or waits for a token such as this.
  func index(of connection: RTCConnection?, given token: String?) -> Int? {
    if let index = usableIndex(of: connection) { return index }
    guard token != nil, let index = connection.map({ index(of: $0) }) ?? defaultIndex, connections[index].awaitsToken
    else {
      return nil
    }
    return index
  }

  var defaultIndex: Int? { connections.firstIndex { $0.handle.isDefault } }

  func index(id: Int) -> Int? { connections.firstIndex { $0.handle.id == id } }

  /// Takes the connections out whose place a new one is to take; nil if one of them has not failed, or gives way by itself,
  /// and keeps its place.
  mutating func takePlace(of isInPlace: (ConnectionIntent) -> Bool) -> [ConnectionIntent]? {
    let present = connections.filter(isInPlace)
    guard present.allSatisfy({ $0.hasFailed && $0.handle.giveWay == nil }) else { return nil }
    connections.removeAll(where: isInPlace)
    return present
  }

  /// A device that has failed is tried again when it is asked for anew.
  mutating func retryDevices(for options: ChannelMediaOptions) {
    if options.publishCameraTrack ?? false { hasCameraFailed = false }
    if options.publishMicrophoneTrack ?? false { hasMicrophoneFailed = false }
  }

  /// What the smaller stream of a connection is; `nil` without one.
  func lowEncoder(of connection: ConnectionIntent) -> VideoEncoderConfiguration? {
    switch simulcastMode {
    case .disableSimulcastStream: return nil
    case .autoSimulcastStream where !connection.isLowVideoRequested: return nil
    case .autoSimulcastStream, .enableSimulcastStream:
      return lowEncoder ?? (connection.encoder ?? encoder).lowStream
    }
  }

  /// What the server is to be told for one connection.
  func wishes(of connection: ConnectionIntent) -> ConnectionWishes {
    var subscription = connection.subscription
    subscription.fallback = fallback == .audioOnly ? nil : fallback
    if !isVideoModuleOn { subscription.mask(TrackFlags(audio: true, video: false)) }
    if !isAudioModuleOn { subscription.mask(TrackFlags(audio: false, video: true)) }
    return ConnectionWishes(
      role: connection.role,
      publish: TrackFlags(
        audio: !connection.isAudioMuted && isAudioModuleOn && !sound(of: connection).isEmpty,
        video: !connection.isVideoMuted && isVideoModuleOn
          && (video(of: connection) != .camera || canPublishCamera(connection))),
      subscribe: subscription, token: connection.token, mediaState: mediaState(of: connection),
      isAudioFilterable: connection.isAudioFilterable)
  }

  private func canPublishCamera(_ connection: ConnectionIntent) -> Bool {
    connection.tracks.camera && !connection.waitsForRepublish && canCapture
  }

  private var canCapture: Bool { hasCamera && isLocalVideoEnabled && !hasCameraFailed }

  /// Where a connection's video comes from, if it publishes any.
  func video(of connection: ConnectionIntent) -> LocalVideoTrack {
    connection.tracks.videoTrackID.flatMap { customVideoTracks[$0] } ?? .camera
  }

  /// What a connection's sound is made of.
  func sound(of connection: ConnectionIntent) -> SoundMix {
    SoundMix(
      microphone: wantsMicrophone(connection) && canRecord,
      trackID: connection.tracks.audioTrackID.flatMap { customAudioTracks[$0] == nil ? nil : $0 })
  }

  private var canRecord: Bool { hasMicrophone && isLocalAudioEnabled && !hasMicrophoneFailed }

  /// A direct track takes the microphone's place.
  private func wantsMicrophone(_ connection: ConnectionIntent) -> Bool {
    let track = connection.tracks.audioTrackID.flatMap { customAudioTracks[$0] }
    return connection.tracks.microphone && connection.usesAudioDevices && track != .direct
  }

  /// Why a connection (a new one without a number) cannot publish these tracks: one is not there, or is another's.
  func refusal(of tracks: PublishedTracks, by id: Int?) -> EngineErrorCode? {
    if let track = tracks.videoTrackID, customVideoTracks[track]?.isEncoded != tracks.encodedVideo {
      return .invalidArgument
    }
    guard let track = tracks.audioTrackID else { return nil }
    guard let type = customAudioTracks[track] else { return .invalidArgument }
    let isUsed = connections.contains { $0.handle.id != id && !$0.hasFailed && $0.tracks.audioTrackID == track }
    return type == .direct && isUsed ? .alreadyInUse : nil
  }

  /// A number for one more track; `nil` if there are as many as there may be.
  mutating func takeTrackID() -> Int? {
    guard customVideoTracks.count + customAudioTracks.count < Self.mostTracks else { return nil }
    defer { nextTrackID += 1 }
    return nextTrackID
  }

  /// What others are told of this side's mutes and switches.
  private func mediaState(of connection: ConnectionIntent) -> UserMediaState {
    var state: UserMediaState = []
    if connection.isAudioMuted { state.insert(.muteAudio) }
    if connection.isVideoMuted { state.insert(.muteVideo) }
    if isVideoModuleOn { state.insert(.enableVideo) }
    if isLocalVideoEnabled { state.insert(.enableLocalVideo) }
    return state
  }

  /// Which devices must run: muting leaves them running, unpublishing does not.
  var devices: DevicePlan {
    let cameras = connections.filter { $0.isBroadcasting && $0.tracks.camera && !$0.waitsForRepublish }
    let configurations = cameras.map { $0.encoder ?? encoder } + (isPreviewing ? [encoder] : [])
    var plan = DevicePlan()
    (plan.videoAttempt, plan.audioAttempt) = (cameraAttempt, microphoneAttempt)
    if canCapture, isVideoModuleOn, !configurations.isEmpty {
      plan.video = VideoCaptureFormat(
        width: configurations.map(\.width).max() ?? encoder.width,
        height: configurations.map(\.height).max() ?? encoder.height,
        frameRate: configurations.map(\.frameRate).max() ?? encoder.frameRate)
    }
    plan.audio =
      canRecord && isAudioModuleOn
      && (keepsMicrophone || echoTestInterval != nil
        || connections.contains { $0.isBroadcasting && wantsMicrophone($0) })
    plan.playsEchoTest = echoTestInterval != nil
    return plan
  }
}
