import ControlWire
import MediaBase

/// How a connection begins. What can change later is changed by `ConnectionCore.update(role:publish:subscribe:token:now:)`.
public struct ConnectionConfiguration: Sendable {
  /// The channel's name; the caller has checked it with `ControlProtocol.isValidChannelName(_:)`.
  public var channel: String
  /// The user's number; 0 asks the server for one.
  public var uid: UInt
  /// Proof of the right to join; empty in development mode.
  public var token: String
  /// The channel's profile.
  public var profile: ChannelProfile
  /// Broadcaster or audience.
  public var role: ClientRole
  /// What to publish; inert while the user is audience of a live channel.
  public var publish: TrackFlags
  /// What is wanted of others.
  public var subscribe: Subscription
  /// Whether the server is asked for a second, smaller video stream (`ConnectionCore.canSendLowVideo`).
  public var wantsLowVideo = false
  /// How the application has set its sending, for others to know; they assume something if it is not said.
  public var mediaState: UserMediaState?
  /// Whether the server may leave the voice out where it forwards the loudest ones only.
  public var isAudioFilterable = true
  /// Encryption between the ends; `nil` for none.
  public var encryption: FrameEncryptionSettings?
  /// From which ICE credentials, the canonical name and waiting times are drawn; from the system's generator in production.
  public var seed: UInt64
  /// Waiting times.
  public var timing: ConnectionTiming
  /// From the monotonic clock to the time since 1900 (NTP); zero where nobody compares clocks.
  public var wallClockOffset = MediaDuration.zero

  /// Makes a configuration.
  public init(
    channel: String, uid: UInt, token: String = "", profile: ChannelProfile = .liveBroadcasting, role: ClientRole,
    publish: TrackFlags, subscribe: Subscription, mediaState: UserMediaState? = nil, seed: UInt64,
    timing: ConnectionTiming = ConnectionTiming()
  ) {
    self.channel = channel
    self.uid = uid
    self.token = token
    self.profile = profile
    self.role = role
    self.publish = publish
    self.subscribe = subscribe
    self.mediaState = mediaState
    self.seed = seed
    self.timing = timing
  }
}
