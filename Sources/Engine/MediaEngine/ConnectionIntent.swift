import ControlWire
import EngineCore

/// What the application wants of one connection, as far as its calls have said.
struct ConnectionIntent {
  let handle: ConnectionHandle
  let profile: ChannelProfile
  var role: ClientRole
  var token: String
  var publishCamera: Bool
  var publishMicrophone: Bool
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
  var hasFailed = false
  /// What the network thread was last told.
  var posted: ConnectionWishes?
  var postedEncoder: VideoEncoderConfiguration?
  var postedLowEncoder: VideoEncoderConfiguration?

  struct SubscriptionException: Equatable {
    var audio: Bool?
    var video: Bool?
    var streamType: VideoStreamType?

    var concernsTracks: Bool { audio != nil || video != nil }
  }

  init(
    handle: ConnectionHandle, options: ChannelMediaOptions, role: ClientRole, profile: ChannelProfile, token: String
  ) {
    self.handle = handle
    self.profile = profile
    self.role = role
    self.token = token
    publishCamera = options.publishCameraTrack ?? true
    publishMicrophone = options.publishMicrophoneTrack ?? true
    subscribeAudio = options.autoSubscribeAudio ?? true
    subscribeVideo = options.autoSubscribeVideo ?? true
  }

  /// Whether the user may publish at all.
  var isBroadcasting: Bool { !hasFailed && (profile == .communication || role == .broadcaster) }

  var subscription: Subscription {
    let everyone = TrackFlags(audio: subscribeAudio, video: subscribeVideo)
    let users = exceptions.filter(\.value.concernsTracks).map { uid, exception in
      (String(uid), TrackFlags(audio: exception.audio ?? subscribeAudio, video: exception.video ?? subscribeVideo))
    }
    let layers = exceptions.compactMap { uid, exception in exception.streamType.map { (String(uid), Self.limit($0)) } }
    return Subscription(
      everyone: everyone, users: Dictionary(uniqueKeysWithValues: users),
      everyoneLayers: streamType == .high ? nil : Self.limit(streamType),
      layers: layers.isEmpty ? nil : Dictionary(uniqueKeysWithValues: layers))
  }

  private static func limit(_ type: VideoStreamType) -> VideoLayerLimit {
    type == .low ? VideoLayerLimit(spatial: 0) : VideoLayerLimit()
  }

  /// Takes over what is set in `options`.
  mutating func merge(_ options: ChannelMediaOptions) {
    if let publish = options.publishCameraTrack {
      publishCamera = publish
      if publish { waitsForRepublish = false }
    }
    publishMicrophone = options.publishMicrophoneTrack ?? publishMicrophone
    subscribeAudio = options.autoSubscribeAudio ?? subscribeAudio
    subscribeVideo = options.autoSubscribeVideo ?? subscribeVideo
    role = options.clientRoleType ?? role
    if let token = options.token, !token.isEmpty { self.token = token }
  }

  /// Everybody, present and future: earlier exceptions are forgotten.
  mutating func muteEverybody(_ track: WritableKeyPath<SubscriptionException, Bool?>, mute: Bool) {
    if track == \.audio { subscribeAudio = !mute } else { subscribeVideo = !mute }
    for uid in exceptions.keys { exceptions[uid]?[keyPath: track] = nil }
    exceptions = exceptions.filter { $0.value != SubscriptionException() }
  }
}
