import ControlWire
import ForwardingCore
import MediaBase

/// A joined user.
struct ChannelMember: Sendable {
  let client: UInt64
  let uid: UInt
  let channel: String
  let profile: ChannelProfile
  var role: ClientRole
  /// As asked for; inert while the user may not publish.
  var publish: TrackFlags
  var subscribe: Subscription
  let ssrcs: TrackSSRCs
  /// Whether it may send a smaller encoding of its video beside the other, and whether it has been asked to.
  var hasLowVideo = false
  var isLowVideoRequested = false
  /// By which SSRCs this user receives each visible publisher, by the publisher's connection.
  var received: [UInt64: TrackSSRCs] = [:]
  /// All SSRCs that were ever used on this user's connection, in both directions.
  var usedSSRCs: Set<UInt32>
  /// What the token allows.
  var grant = ChannelGrant.unlimited
  /// What the token allows to publish at present.
  var publishable = TrackFlags(audio: true, video: true)
  /// Whether the token allows messages on data streams at present.
  var maySendData = true
  /// Whether the next end of a right has been announced.
  var isWarned = false
  /// For a participant by WebRTC.
  var webRTC: WebRTCJoin?
  /// As the user says; passed on to others.
  var mediaState: UserMediaState?
  /// Whether the voice may be left out where only the loudest are forwarded.
  var isAudioFilterable = true
  /// Nothing has come from this user for so long that the others take it for gone.
  var isAway = false
  /// When the control connection ended without a goodbye; the user may come back.
  var abandonTime: MediaInstant?
  /// How many messages to others this user's changes may still lead to.
  var notices = NoticeAllowance(burst: 0, rate: 0)
  /// Twice what a client allows itself: the network may bring two seconds' messages at once.
  var dataAllowance = DataStreamAllowance(seconds: 2)

  /// A participant by WebRTC has only asked by HTTP so far: whether it can ever be heard is not known.
  var isAwaited = false

  /// Whether others may see this user: as broadcaster, and in a communication channel always, except a player by WebRTC; not
  /// while it is away.
  var mayBeVisible: Bool {
    !isAway && (role == .broadcaster || (profile == .communication && webRTC?.receiveSSRCs == nil))
  }

  /// Whether others see this user.
  var isVisible: Bool { mayBeVisible && !isAwaited }

  /// How much of a publisher's video the user wants at most.
  func target(of uid: UInt) -> LayerTarget { webRTC?.target ?? LayerTarget(subscribe.layers(of: uid)) }

  /// What the user really publishes; what it sends at once when it connects is kept for those who see it then.
  var published: TrackFlags {
    guard mayBeVisible else { return .none }
    return TrackFlags(audio: publish.audio && publishable.audio, video: publish.video && publishable.video)
  }

  /// When something is to be done about the token.
  func tokenDeadline(after now: MediaInstant) -> MediaInstant? {
    guard let end = grant.nextEnd(after: now) else { return nil }
    return isWarned ? end : max(end - ChannelDirectory.expiryWarning, now)
  }
}

/// A channel with at least one user.
struct Channel: Sendable {
  let profile: ChannelProfile
  /// Tells it from all others that there are and were; not 0.
  let number: UInt64
  /// Connections by uid.
  var clients: [UInt: UInt64] = [:]
  /// Those of users that others see; so an audience can come and go without a look at all of it.
  var visibleClients: [UInt: UInt64] = [:]
}
