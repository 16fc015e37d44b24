import ControlWire

/// What the local user wants of the channel: the part of a connection that `ConnectionCore.update` changes.
public struct ConnectionWishes: Equatable, Sendable {
  /// Broadcaster or audience.
  public var role: ClientRole
  /// What to publish; inert while the user is audience of a live channel.
  public var publish: TrackFlags
  /// What is wanted of others.
  public var subscribe: Subscription
  /// Proof of the right to be in the channel.
  public var token: String
  /// How the application has set its sending, for others to know; they assume something if it is not said.
  public var mediaState: UserMediaState?
  /// Whether the server may leave the voice out where it forwards the loudest ones only.
  public var isAudioFilterable: Bool

  /// Makes a set of wishes.
  public init(
    role: ClientRole, publish: TrackFlags, subscribe: Subscription, token: String, mediaState: UserMediaState? = nil,
    isAudioFilterable: Bool = true
  ) {
    self.role = role
    self.publish = publish
    self.subscribe = subscribe
    self.token = token
    self.mediaState = mediaState
    self.isAudioFilterable = isAudioFilterable
  }

  /// What is really published: nothing as audience of a live channel.
  public func effectivePublish(profile: ChannelProfile) -> TrackFlags {
    profile == .communication || role == .broadcaster ? publish : .none
  }

  /// The request that turns `told` into `self`; `nil` if they are equal.
  func difference(from told: ConnectionWishes, requestID: Int) -> UpdateRequest? {
    guard self != told else { return nil }
    return UpdateRequest(
      requestID: requestID, role: role == told.role ? nil : role, publish: publish == told.publish ? nil : publish,
      subscribe: subscribe == told.subscribe ? nil : subscribe, token: token == told.token ? nil : token,
      mediaState: mediaState == told.mediaState ? nil : mediaState,
      isAudioFilterable: isAudioFilterable == told.isAudioFilterable ? nil : isAudioFilterable)
  }

  /// Takes over what `request` changes.
  mutating func apply(_ request: UpdateRequest) {
    role = request.role ?? role
    publish = request.publish ?? publish
    subscribe = request.subscribe ?? subscribe
    token = request.token ?? token
    mediaState = request.mediaState ?? mediaState
    isAudioFilterable = request.isAudioFilterable ?? isAudioFilterable
  }
}
