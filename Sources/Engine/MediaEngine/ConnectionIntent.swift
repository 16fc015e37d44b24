import ControlWire
import EngineCore
import MediaBase

/// What the application wants of one connection, as far as its calls have said.
struct ConnectionIntent {
  let handle: ConnectionHandle
  let profile: ChannelProfile
  var role: ClientRole
  var token: String
  var tracks: PublishedTracks
  var isVideoMuted = false
  var isAudioMuted = false
  /// The camera has been turned off since it was last published: it waits for `publishCameraTrack`.
  var waitsForRepublish = false
  var subscribeAudio: Bool
  var subscribeVideo: Bool
  var exceptions: [UInt: SubscriptionException] = [:]
  var encoder: VideoEncoderConfiguration?
  /// For users without an exception.
  var streamType = VideoStreamType.high
  /// Somebody wants the smaller stream of the camera.
  var isLowVideoRequested = false
  /// The most temporal layers of users without an exception.
  var temporalLayerLimit = VideoTemporalLayers.most
  var hasFailed = false
  /// It has failed since its token has run out: another one brings it back.
  var awaitsToken = false
  var latencyLevel: AudienceLatencyLevel
  var isInteractiveAudience: Bool
  var isAudioFilterable: Bool
  var usesAudioDevices: Bool
  /// How long sound is held back before it is sent.
  var audioDelay: MediaDuration
  /// Whether `subscribeVideo` and `subscribeAudio` are off because everybody has been muted.
  var hasMutedVideo = false
  var hasMutedAudio = false
  var dataStreams = DataStreamSender()
  /// The application has given a token that waits to be shown, perhaps the one in use: each time is answered.
  var hasGivenToken = false
  /// Encryption between the ends; `nil` for none.
  var encryption: FrameEncryptionSettings?
  var postedDelay: MediaDuration?
  var postedAudioDelay = MediaDuration.zero
  /// What the network thread was last told.
  var posted: ConnectionWishes?
  var postedEncoder: VideoEncoderConfiguration?
  var postedLowEncoder: VideoEncoderConfiguration?
  var postedEncryption: FrameEncryptionSettings?
  /// Where the network thread takes the video from.
  var postedVideo = LocalVideoTrack.camera
  /// What it makes the sound of.
  var postedSound = SoundMix.microphone

  struct SubscriptionException: Equatable {
    var audio: Bool?
    var video: Bool?
    var streamType: VideoStreamType?
    var temporalLayerLimit: Int?

    var concernsTracks: Bool { audio != nil || video != nil }
    var concernsLayers: Bool { streamType != nil || temporalLayerLimit != nil }
  }

  init(
    handle: ConnectionHandle, options: ChannelMediaOptions, role: ClientRole, profile: ChannelProfile, token: String,
    latencyLevel: AudienceLatencyLevel = .ultraLowLatency
  ) {
    self.handle = handle
    self.profile = profile
    self.role = role
    self.token = token
    tracks = PublishedTracks(options)
    subscribeAudio = options.autoSubscribeAudio ?? true
    subscribeVideo = options.autoSubscribeVideo ?? true
    self.latencyLevel = options.audienceLatencyLevel ?? latencyLevel
    isInteractiveAudience = options.isInteractiveAudience ?? false
    isAudioFilterable = options.isAudioFilterable ?? true
    streamType = options.defaultVideoStreamType ?? streamType
    usesAudioDevices = options.enableAudioRecordingOrPlayout ?? true
    audioDelay = .milliseconds(Int64(options.audioDelayMilliseconds ?? 0))
  }

  /// Whether the application means this one: by the name it was joined by, or that with the number the server has given.
  func isNamed(_ connection: RTCConnection) -> Bool {
    handle.requested == connection || handle.connection == connection
  }

  /// Whether the user may publish at all.
  var isBroadcasting: Bool { !hasFailed && (profile == .communication || role == .broadcaster) }

  var subscription: Subscription {
    let everyone = TrackFlags(audio: subscribeAudio, video: subscribeVideo)
    let users = exceptions.filter(\.value.concernsTracks).map { uid, exception in
      (String(uid), TrackFlags(audio: exception.audio ?? subscribeAudio, video: exception.video ?? subscribeVideo))
    }
    let layers = exceptions.filter(\.value.concernsLayers).map { uid, exception in (String(uid), limit(exception)) }
    let everyoneLayers = limit(SubscriptionException())
    return Subscription(
      everyone: everyone, users: Dictionary(uniqueKeysWithValues: users),
      everyoneLayers: everyoneLayers == VideoLayerLimit() ? nil : everyoneLayers,
      layers: layers.isEmpty ? nil : Dictionary(uniqueKeysWithValues: layers))
  }

  /// A user's exception counts alone, so it says also what is the same for everybody.
  private func limit(_ exception: SubscriptionException) -> VideoLayerLimit {
    let spatial: Int? =
      switch exception.streamType ?? streamType {
      case .high: nil
      case .low: 0
      case .layer1: 1
      }
    let count = exception.temporalLayerLimit ?? temporalLayerLimit
    return VideoLayerLimit(spatial: spatial, temporal: count == VideoTemporalLayers.most ? nil : count - 1)
  }

  /// Takes over what is set in `options`.
  mutating func merge(_ options: ChannelMediaOptions) {
    tracks.merge(options)
    if options.publishCameraTrack == true { waitsForRepublish = false }
    if let subscribes = options.autoSubscribeAudio { (subscribeAudio, hasMutedAudio) = (subscribes, false) }
    if let subscribes = options.autoSubscribeVideo { (subscribeVideo, hasMutedVideo) = (subscribes, false) }
    latencyLevel = options.audienceLatencyLevel ?? latencyLevel
    isInteractiveAudience = options.isInteractiveAudience ?? isInteractiveAudience
    isAudioFilterable = options.isAudioFilterable ?? isAudioFilterable
    usesAudioDevices = options.enableAudioRecordingOrPlayout ?? usesAudioDevices
    streamType = options.defaultVideoStreamType ?? streamType
    if let delay = options.audioDelayMilliseconds { audioDelay = .milliseconds(Int64(delay)) }
    role = options.clientRoleType ?? role
    if let token = options.token { renew(token) }
  }

  /// The application has given a token, perhaps the present one again.
  mutating func renew(_ token: String) {
    self.token = token
    hasGivenToken = true
    if awaitsToken { (hasFailed, awaitsToken) = (false, false) }
  }

  /// The video module has been turned on or off: nothing of video is muted any more, nor waits to be published.
  mutating func resetVideoMutes() {
    isVideoMuted = false
    waitsForRepublish = false
    if hasMutedVideo { (subscribeVideo, hasMutedVideo) = (true, false) }
    for uid in exceptions.keys where exceptions[uid]?.video == false { exceptions[uid]?.video = nil }
    exceptions = exceptions.filter { $0.value != SubscriptionException() }
  }

  /// The audio module has been turned on or off: nothing of audio is muted any more.
  mutating func resetAudioMutes() {
    isAudioMuted = false
    if hasMutedAudio { (subscribeAudio, hasMutedAudio) = (true, false) }
    for uid in exceptions.keys where exceptions[uid]?.audio == false { exceptions[uid]?.audio = nil }
    exceptions = exceptions.filter { $0.value != SubscriptionException() }
  }

  /// The least delay of what is heard here.
  var minimumDelay: MediaDuration {
    let isLate =
      latencyLevel == .lowLatency && !isInteractiveAudience && role == .audience && profile == .liveBroadcasting
    return .milliseconds(isLate ? 200 : 20)
  }

  /// Everybody, present and future: earlier exceptions are forgotten.
  mutating func muteEverybody(_ track: WritableKeyPath<SubscriptionException, Bool?>, mute: Bool) {
    if track == \.audio {
      hasMutedAudio = mute && (subscribeAudio || hasMutedAudio)
      subscribeAudio = !mute
    } else {
      hasMutedVideo = mute && (subscribeVideo || hasMutedVideo)
      subscribeVideo = !mute
    }
    for uid in exceptions.keys { exceptions[uid]?[keyPath: track] = nil }
    exceptions = exceptions.filter { $0.value != SubscriptionException() }
  }
}
