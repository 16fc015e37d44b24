/// What the server sends on a channel connection. On the wire each is an object with a `type` and the fields of its payload.
public enum ChannelResponse: Hashable, Sendable {
  /// The answer to `join`: everything needed to start media.
  case joined(JoinedResponse)
  /// The answer to `update`.
  case updated(UpdatedResponse)
  /// A user can be seen now (joined as or became a broadcaster).
  case userJoined(ChannelUser)
  /// What a user publishes has changed.
  case userUpdated(UserUpdatedResponse)
  /// A user can no longer be seen.
  case userLeft(UserLeftResponse)
  /// The token, or one of its rights, ends soon.
  case tokenWillExpire(TokenExpiryResponse)
  /// The video of a user does not fit through the network any more, or does again.
  case videoPaused(VideoPausedResponse)
  /// Somebody wants the small encoding of the video.
  case lowVideoRequested
  /// A piece of data from somebody in the channel.
  case streamMessage(StreamMessageResponse)
  /// A request was refused; the connection goes on unless it had not joined yet.
  case error(ErrorResponse)
  /// The server ends this connection; the socket closes next.
  case removed(ErrorResponse)
}

/// Answer to `join`.
public struct JoinedResponse: Hashable, Codable, Sendable {
  /// `ControlProtocol.version`.
  public var version: Int
  /// The user's number (chosen by the server if 0 was asked for).
  public var uid: UInt
  /// The server's ICE user name fragment and password for this connection.
  public var ice: ICEParameters
  /// Where to send connectivity checks, best first.
  public var candidates: [CandidateAddress]
  /// Keys for SRTP.
  public var srtp: SRTPParameters
  /// Payload types and extension ids.
  public var rtp: RTPParameters
  /// The SSRCs to publish with.
  public var ssrcs: TrackSSRCs
  /// Everybody who can be seen already.
  public var users: [ChannelUser]
  /// By which SSRCs to send several encodings of the video, smallest picture first; the last has those of `ssrcs`. Not
  /// there if one is to be sent.
  public var videoLayers: [VideoLayerSSRCs]?
  /// False if the token does not allow to send messages on data streams.
  public var maySendData: Bool?

  /// Makes an answer.
  public init(
    version: Int = ControlProtocol.version, uid: UInt, ice: ICEParameters, candidates: [CandidateAddress],
    srtp: SRTPParameters, rtp: RTPParameters = RTPParameters(), ssrcs: TrackSSRCs, users: [ChannelUser],
    videoLayers: [VideoLayerSSRCs]? = nil, maySendData: Bool? = nil
  ) {
    self.version = version
    self.uid = uid
    self.ice = ice
    self.candidates = candidates
    self.srtp = srtp
    self.rtp = rtp
    self.ssrcs = ssrcs
    self.users = users
    self.videoLayers = videoLayers
    self.maySendData = maySendData
  }
}

/// Answer to `update`.
public struct UpdatedResponse: Hashable, Codable, Sendable {
  /// The request's number.
  public var requestID: Int
  /// False if the request's token does not allow to send messages on data streams.
  public var maySendData: Bool?

  /// Makes an answer.
  public init(requestID: Int, maySendData: Bool? = nil) {
    self.requestID = requestID
    self.maySendData = maySendData
  }
}

/// What a user publishes now.
public struct UserUpdatedResponse: Hashable, Codable, Sendable {
  /// Who.
  public var uid: UInt
  /// Everything the user publishes from now on.
  public var published: TrackFlags
  /// How the user's application has set its sending, if it has said so.
  public var mediaState: UserMediaState?

  /// Makes a message.
  public init(uid: UInt, published: TrackFlags, mediaState: UserMediaState? = nil) {
    self.uid = uid
    self.published = published
    self.mediaState = mediaState
  }
}

/// A user can no longer be seen.
public struct UserLeftResponse: Hashable, Codable, Sendable {
  /// Who.
  public var uid: UInt
  /// Why.
  public var reason: UserOfflineReason

  /// Makes a message.
  public init(uid: UInt, reason: UserOfflineReason) {
    self.uid = uid
    self.reason = reason
  }
}

/// The network does not carry a user's video, so that only sound comes; or it carries it again.
public struct VideoPausedResponse: Hashable, Codable, Sendable {
  /// Whose.
  public var uid: UInt
  /// Whether it is left out now.
  public var isPaused: Bool

  /// Makes a message.
  public init(uid: UInt, isPaused: Bool) {
    self.uid = uid
    self.isPaused = isPaused
  }
}

/// A right of the token ends; a new token by `update` keeps the user in the channel.
public struct TokenExpiryResponse: Hashable, Codable, Sendable {
  /// Milliseconds until then.
  public var remainingMilliseconds: Int

  /// Makes a message.
  public init(remainingMilliseconds: Int) { self.remainingMilliseconds = remainingMilliseconds }
}

/// Why a request was refused or a connection ended.
public struct ErrorResponse: Hashable, Codable, Sendable {
  /// For programs.
  public var code: ControlErrorCode
  /// For people: what is wrong and what to do.
  public var message: String
  /// The refused request's number, where it had one.
  public var requestID: Int?
  /// True beside `invalidToken` if the token is good, but for another channel.
  public var isTokenOfOtherChannel: Bool?

  /// Makes a message.
  public init(
    code: ControlErrorCode, message: String, requestID: Int? = nil, isTokenOfOtherChannel: Bool? = nil
  ) {
    self.code = code
    self.message = message
    self.requestID = requestID
    self.isTokenOfOtherChannel = isTokenOfOtherChannel
  }
}

extension ChannelResponse: Codable {
  private enum CodingKeys: String, CodingKey { case type }
  private enum Kind: String, Codable {
    case joined, updated, userJoined, userUpdated, userLeft, videoPaused, lowVideoRequested, tokenWillExpire
    case streamMessage, error, removed
  }

  /// Reads the message that its `type` names; throws when a field is missing or of another type.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .type) {
    case .joined: self = .joined(try JoinedResponse(from: decoder))
    case .updated: self = .updated(try UpdatedResponse(from: decoder))
    case .userJoined: self = .userJoined(try ChannelUser(from: decoder))
    case .userUpdated: self = .userUpdated(try UserUpdatedResponse(from: decoder))
    case .userLeft: self = .userLeft(try UserLeftResponse(from: decoder))
    case .videoPaused: self = .videoPaused(try VideoPausedResponse(from: decoder))
    case .lowVideoRequested: self = .lowVideoRequested
    case .tokenWillExpire: self = .tokenWillExpire(try TokenExpiryResponse(from: decoder))
    case .streamMessage: self = .streamMessage(try StreamMessageResponse(from: decoder))
    case .error: self = .error(try ErrorResponse(from: decoder))
    case .removed: self = .removed(try ErrorResponse(from: decoder))
    }
  }

  /// Writes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    let (kind, payload): (Kind, (any Encodable)?) =
      switch self {
      case .joined(let payload): (.joined, payload)
      case .updated(let payload): (.updated, payload)
      case .userJoined(let payload): (.userJoined, payload)
      case .userUpdated(let payload): (.userUpdated, payload)
      case .userLeft(let payload): (.userLeft, payload)
      case .videoPaused(let payload): (.videoPaused, payload)
      case .lowVideoRequested: (.lowVideoRequested, nil)
      case .tokenWillExpire(let payload): (.tokenWillExpire, payload)
      case .streamMessage(let payload): (.streamMessage, payload)
      case .error(let payload): (.error, payload)
      case .removed(let payload): (.removed, payload)
      }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .type)
    try payload?.encode(to: encoder)
  }
}
