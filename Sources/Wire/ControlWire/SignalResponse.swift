/// What the server sends on a signalling connection.
public enum SignalResponse: Hashable, Sendable {
  /// The answer to `login`.
  case loggedIn(LoggedInResponse)
  /// The receiver has the text: its client has confirmed it, or, if that cannot, it has been handed to its connection.
  case delivered(UpdatedResponse)
  /// `report` or `renewToken` has been taken.
  case updated(UpdatedResponse)
  /// A request was refused (`userOffline` when the receiver is not logged in).
  case error(ErrorResponse)
  /// A text from another user.
  case message(ReceivedMessage)
  /// The token runs out soon: renew it.
  case tokenWillExpire
  /// The server ends this connection; the socket closes next.
  case removed(ErrorResponse)
}

/// The answer to `login`.
public struct LoggedInResponse: Hashable, Codable, Sendable {
  /// Who is logged in.
  public var uid: UInt
  /// With a session: whether the server knew it. Otherwise texts that waited for this user are lost, as their senders have
  /// been told.
  public var resumed: Bool?

  /// Makes an answer.
  public init(uid: UInt, resumed: Bool? = nil) {
    self.uid = uid
    self.resumed = resumed
  }
}

/// A text from another user.
public struct ReceivedMessage: Hashable, Codable, Sendable {
  /// From whom; the server vouches for it.
  public var from: UInt
  /// The text.
  public var message: String
  /// With a session: counts the texts to this user, to be confirmed by `received`. A lower number than before means that
  /// the text has come already.
  public var sequence: Int?
  /// The sender's `requestID`: one that has come already from this sender is the same text again. Missing where the sender
  /// could not send it twice.
  public var messageID: Int?

  /// Makes a message.
  public init(from: UInt, message: String, sequence: Int? = nil, messageID: Int? = nil) {
    self.from = from
    self.message = message
    self.sequence = sequence
    self.messageID = messageID
  }
}

extension SignalResponse: Codable {
  private enum CodingKeys: String, CodingKey { case type }
  private enum Kind: String, Codable { case loggedIn, delivered, updated, error, message, tokenWillExpire, removed }

  /// Reads the message that its `type` names; throws when a field is missing or of another type.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .type) {
    case .loggedIn: self = .loggedIn(try LoggedInResponse(from: decoder))
    case .delivered: self = .delivered(try UpdatedResponse(from: decoder))
    case .updated: self = .updated(try UpdatedResponse(from: decoder))
    case .error: self = .error(try ErrorResponse(from: decoder))
    case .message: self = .message(try ReceivedMessage(from: decoder))
    case .tokenWillExpire: self = .tokenWillExpire
    case .removed: self = .removed(try ErrorResponse(from: decoder))
    }
  }

  /// Writes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    let (kind, payload): (Kind, (any Encodable)?) =
      switch self {
      case .loggedIn(let payload): (.loggedIn, payload)
      case .delivered(let payload): (.delivered, payload)
      case .updated(let payload): (.updated, payload)
      case .error(let payload): (.error, payload)
      case .message(let payload): (.message, payload)
      case .tokenWillExpire: (.tokenWillExpire, nil)
      case .removed(let payload): (.removed, payload)
      }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .type)
    try payload?.encode(to: encoder)
  }
}
