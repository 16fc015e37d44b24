/// What a client sends on a channel connection. On the wire each is an object with a `type` and the fields of its payload.
public enum ChannelRequest: Hashable, Sendable {
  /// First message: enter a channel.
  case join(JoinRequest)
  /// Change role, publishing, subscriptions or token; fields left out stay as they are.
  case update(UpdateRequest)
  /// A piece of data for everybody in the channel.
  case streamMessage(StreamMessageRequest)
  /// Leave the channel on purpose. The server answers by closing.
  case leave
}

/// Enter a channel as a user.
public struct JoinRequest: Hashable, Codable, Sendable {
  /// `ControlProtocol.version`.
  public var version: Int
  /// Which channel.
  public var channel: String
  /// Who joins, 1 to 2^32 - 1; 0 asks the server to choose.
  public var uid: UInt
  /// Proof of the right to join; empty in development mode.
  public var token: String
  /// The channel's profile; the first user decides, later ones must agree.
  public var profile: ChannelProfile
  /// Broadcaster or audience.
  public var role: ClientRole
  /// What the user publishes from the start (ignored for an audience).
  public var publish: TrackFlags
  /// What the user wants of others.
  public var subscribe: Subscription
  /// The client's ICE user name fragment and password.
  public var ice: ICEParameters
  /// How many encodings of its video the client would like to send, up to 3; one if it is not said.
  public var videoLayerCount: Int?
  /// How the user's application has set its sending, for others to know; they assume something if it is not said.
  public var mediaState: UserMediaState?
  /// False for a voice that is forwarded even where only the loudest are.
  public var isAudioFilterable: Bool?

  /// Makes a request.
  public init(
    version: Int = ControlProtocol.version, channel: String, uid: UInt, token: String = "",
    profile: ChannelProfile = .liveBroadcasting, role: ClientRole, publish: TrackFlags, subscribe: Subscription,
    ice: ICEParameters, videoLayerCount: Int? = nil, mediaState: UserMediaState? = nil,
    isAudioFilterable: Bool? = nil
  ) {
    self.version = version
    self.channel = channel
    self.uid = uid
    self.token = token
    self.profile = profile
    self.role = role
    self.publish = publish
    self.subscribe = subscribe
    self.ice = ice
    self.videoLayerCount = videoLayerCount
    self.mediaState = mediaState
    self.isAudioFilterable = isAudioFilterable
  }
}

/// A change. `requestID` comes back in the answer.
public struct UpdateRequest: Hashable, Codable, Sendable {
  /// Chosen by the client, rising.
  public var requestID: Int
  /// New role.
  public var role: ClientRole?
  /// All that is published from now on.
  public var publish: TrackFlags?
  /// All that is wanted from now on.
  public var subscribe: Subscription?
  /// New token.
  public var token: String?
  /// How the user's application has set its sending.
  public var mediaState: UserMediaState?
  /// Whether the voice may be left out where only the loudest are forwarded.
  public var isAudioFilterable: Bool?

  /// Makes a change.
  public init(
    requestID: Int, role: ClientRole? = nil, publish: TrackFlags? = nil, subscribe: Subscription? = nil,
    token: String? = nil, mediaState: UserMediaState? = nil, isAudioFilterable: Bool? = nil
  ) {
    self.requestID = requestID
    self.role = role
    self.publish = publish
    self.subscribe = subscribe
    self.token = token
    self.mediaState = mediaState
    self.isAudioFilterable = isAudioFilterable
  }
}

/// What a user wants of the others: a rule for everybody and exceptions.
public struct Subscription: Hashable, Codable, Sendable {
  /// For users without an exception, present and future.
  public var everyone: TrackFlags
  /// Exceptions by uid, as decimal text (JSON keys are strings).
  public var users: [String: TrackFlags]
  /// How much is wanted of the videos of users without an exception; everything if it is not said.
  public var everyoneLayers: VideoLayerLimit?
  /// Exceptions to this by uid, as decimal text.
  public var layers: [String: VideoLayerLimit]?
  /// What may become of videos that the network does not carry; `audioOnly` if it is not said.
  public var fallback: StreamFallbackOption?

  /// Makes a subscription.
  public init(
    everyone: TrackFlags, users: [String: TrackFlags] = [:], everyoneLayers: VideoLayerLimit? = nil,
    layers: [String: VideoLayerLimit]? = nil, fallback: StreamFallbackOption? = nil
  ) {
    self.everyone = everyone
    self.users = users
    self.everyoneLayers = everyoneLayers
    self.layers = layers
    self.fallback = fallback
  }

  /// What is wanted of user `uid`.
  public func wanted(of uid: UInt) -> TrackFlags { users[String(uid)] ?? everyone }

  /// How much is wanted of the video of user `uid`.
  public func layers(of uid: UInt) -> VideoLayerLimit { layers?[String(uid)] ?? everyoneLayers ?? VideoLayerLimit() }
}

extension ChannelRequest: Codable {
  private enum CodingKeys: String, CodingKey { case type, uid }
  private enum Kind: String, Codable { case join, update, streamMessage, leave }

  /// Reads the message that its `type` names; throws when a field is missing or of another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .type) {
    case .join:
      try container.checkUID(.uid, isChosenBy0: true)
      self = .join(try JoinRequest(from: decoder))
    case .update: self = .update(try UpdateRequest(from: decoder))
    case .streamMessage: self = .streamMessage(try StreamMessageRequest(from: decoder))
    case .leave: self = .leave
    }
  }

  /// Writes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .join(let request):
      try container.encode(Kind.join, forKey: .type)
      try request.encode(to: encoder)
    case .update(let request):
      try container.encode(Kind.update, forKey: .type)
      try request.encode(to: encoder)
    case .streamMessage(let request):
      try container.encode(Kind.streamMessage, forKey: .type)
      try request.encode(to: encoder)
    case .leave:
      try container.encode(Kind.leave, forKey: .type)
    }
  }
}
