import ControlWire

/// What to publish and receive on a connection. Every field has three states: in an update `nil` leaves the present value
/// alone; at join it means the default.
public struct ChannelMediaOptions: Hashable, Sendable {
  /// Publish the camera; default true, without effect for an audience.
  public var publishCameraTrack: Bool?
  /// Publish the microphone; default true, without effect for an audience.
  public var publishMicrophoneTrack: Bool?
  /// Publish the pictures that the application gives to the track `customVideoTrackID`, in the camera's place; default false.
  /// A connection publishes one video: what is asked for last takes the place of what was published before. More than one
  /// of camera, custom and encoded track set to true at once is -2, and so is a track that there is not.
  public var publishCustomVideoTrack: Bool?
  /// Publish the encoded pictures that the application gives to the track `customVideoTrackID`, in the camera's place;
  /// default false.
  public var publishEncodedVideoTrack: Bool?
  /// Which track is published: what `RTCEngine.createCustomVideoTrack()` has returned, or
  /// `RTCEngine.createCustomEncodedVideoTrack(_:)`.
  public var customVideoTrackID: Int?
  /// Publish the sound that the application gives to the track `publishCustomAudioTrackID`, beside the microphone or in its
  /// place (`AudioTrackType`); default false.
  public var publishCustomAudioTrack: Bool?
  /// Which track is published: what `RTCEngine.createCustomAudioTrack(type:)` has returned.
  public var publishCustomAudioTrackID: Int?
  /// Receive everybody's audio; default true.
  public var autoSubscribeAudio: Bool?
  /// Receive everybody's video; default true.
  public var autoSubscribeVideo: Bool?
  /// Default audience, or what `setClientRole` has set before joining the default channel.
  public var clientRoleType: ClientRole?
  /// Which stream is received of users who send two and of whom nothing else has been said
  /// (`RTCEngine.setRemoteVideoStreamType(uid:type:)`); default high, or what
  /// `RTCEngine.setRemoteDefaultVideoStreamType(_:)` has set before.
  public var defaultVideoStreamType: VideoStreamType?
  /// How far an audience may be behind; default ultra-low, or what `setClientRole` has set before joining the default
  /// channel.
  public var audienceLatencyLevel: AudienceLatencyLevel?
  /// Whether this connection uses the microphone; default true. Without it no microphone is published; others are heard as
  /// they are subscribed to.
  public var enableAudioRecordingOrPlayout: Bool?
  /// Milliseconds that sound is held back before it is sent on this connection, 0 to 5,000, for pictures that come late;
  /// default 0.
  public var audioDelayMilliseconds: Int?
  /// Whether an audience takes part in a conversation that it watches, as a host does in the channel of another one: it hears
  /// others as soon as possible, whatever `audienceLatencyLevel` says. Default false; without effect for a broadcaster.
  public var isInteractiveAudience: Bool?
  /// Whether the server may leave the microphone out while others are louder, where it forwards the loudest voices only;
  /// default true.
  public var isAudioFilterable: Bool?
  /// Default is the engine's profile; only read at join.
  public var channelProfile: ChannelProfile?
  /// A new token; only read on update, where it renews the connection's token.
  public var token: String?
  /// Whether a connection by `joinChannelEx` begins with the encryption of `enableEncryption(_:configuration:)`; default
  /// false. The default connection always does. Only read at join; later there is `enableEncryptionEx`.
  public var enableBuiltInMediaEncryption: Bool?
  /// How this connection is encrypted from its beginning, whatever others are; only read at join.
  public var mediaEncryption: EncryptionConfiguration?

  /// Makes options; what is not given is unset.
  public init(
    publishCameraTrack: Bool? = nil, publishMicrophoneTrack: Bool? = nil, autoSubscribeAudio: Bool? = nil,
    autoSubscribeVideo: Bool? = nil, clientRoleType: ClientRole? = nil,
    audienceLatencyLevel: AudienceLatencyLevel? = nil, enableAudioRecordingOrPlayout: Bool? = nil,
    channelProfile: ChannelProfile? = nil,
    token: String? = nil, enableBuiltInMediaEncryption: Bool? = nil, audioDelayMilliseconds: Int? = nil,
    mediaEncryption: EncryptionConfiguration? = nil, isInteractiveAudience: Bool? = nil,
    isAudioFilterable: Bool? = nil, defaultVideoStreamType: VideoStreamType? = nil,
    publishCustomVideoTrack: Bool? = nil, customVideoTrackID: Int? = nil, publishCustomAudioTrack: Bool? = nil,
    publishCustomAudioTrackID: Int? = nil, publishEncodedVideoTrack: Bool? = nil
  ) {
    self.publishCameraTrack = publishCameraTrack
    self.publishMicrophoneTrack = publishMicrophoneTrack
    self.autoSubscribeAudio = autoSubscribeAudio
    self.autoSubscribeVideo = autoSubscribeVideo
    self.clientRoleType = clientRoleType
    self.defaultVideoStreamType = defaultVideoStreamType
    self.audienceLatencyLevel = audienceLatencyLevel
    self.enableAudioRecordingOrPlayout = enableAudioRecordingOrPlayout
    self.channelProfile = channelProfile
    self.token = token
    self.enableBuiltInMediaEncryption = enableBuiltInMediaEncryption
    self.audioDelayMilliseconds = audioDelayMilliseconds
    self.mediaEncryption = mediaEncryption
    self.isInteractiveAudience = isInteractiveAudience
    self.isAudioFilterable = isAudioFilterable
    self.publishCustomVideoTrack = publishCustomVideoTrack
    self.customVideoTrackID = customVideoTrackID
    self.publishCustomAudioTrack = publishCustomAudioTrack
    self.publishCustomAudioTrackID = publishCustomAudioTrackID
    self.publishEncodedVideoTrack = publishEncodedVideoTrack
  }

  /// Takes over the fields that are set in `update`.
  public mutating func merge(_ update: ChannelMediaOptions) {
    publishCameraTrack = update.publishCameraTrack ?? publishCameraTrack
    publishMicrophoneTrack = update.publishMicrophoneTrack ?? publishMicrophoneTrack
    autoSubscribeAudio = update.autoSubscribeAudio ?? autoSubscribeAudio
    autoSubscribeVideo = update.autoSubscribeVideo ?? autoSubscribeVideo
    clientRoleType = update.clientRoleType ?? clientRoleType
    audienceLatencyLevel = update.audienceLatencyLevel ?? audienceLatencyLevel
    enableAudioRecordingOrPlayout = update.enableAudioRecordingOrPlayout ?? enableAudioRecordingOrPlayout
    channelProfile = update.channelProfile ?? channelProfile
    token = update.token ?? token
    enableBuiltInMediaEncryption = update.enableBuiltInMediaEncryption ?? enableBuiltInMediaEncryption
    audioDelayMilliseconds = update.audioDelayMilliseconds ?? audioDelayMilliseconds
    mediaEncryption = update.mediaEncryption ?? mediaEncryption
    isInteractiveAudience = update.isInteractiveAudience ?? isInteractiveAudience
    isAudioFilterable = update.isAudioFilterable ?? isAudioFilterable
    defaultVideoStreamType = update.defaultVideoStreamType ?? defaultVideoStreamType
    publishCustomVideoTrack = update.publishCustomVideoTrack ?? publishCustomVideoTrack
    customVideoTrackID = update.customVideoTrackID ?? customVideoTrackID
    publishCustomAudioTrack = update.publishCustomAudioTrack ?? publishCustomAudioTrack
    publishCustomAudioTrackID = update.publishCustomAudioTrackID ?? publishCustomAudioTrackID
    publishEncodedVideoTrack = update.publishEncodedVideoTrack ?? publishEncodedVideoTrack
  }

  /// Whether every value is in its range, and at most one video is asked for.
  var isValid: Bool {
    let videos = [publishCameraTrack, publishCustomVideoTrack, publishEncodedVideoTrack].count { $0 == true }
    return videos <= 1 && (audioDelayMilliseconds.map { (0...5_000).contains($0) } ?? true)
  }
}
