/// What a client sends on a signalling connection: a way for users to send each other short texts.
public enum SignalRequest: Hashable, Sendable {
  /// First message: say who this is.
  case login(LoginRequest)
  /// Send a text to another user.
  case send(SendRequest)
  /// Log out on purpose. The server answers by closing.
  case logout
}

/// Say who this is.
public struct LoginRequest: Hashable, Codable, Sendable {
  /// `ControlProtocol.version`.
  public var version: Int
  /// Who logs in, 1 to 2^32 - 1.
  public var uid: UInt
  /// Proof; empty in development mode.
  public var token: String

  /// Makes a request.
  public init(version: Int = ControlProtocol.version, uid: UInt, token: String = "") {
    self.version = version
    self.uid = uid
    self.token = token
  }
}

/// Send a text to another user.
public struct SendRequest: Hashable, Codable, Sendable {
  /// Chosen by the client, rising; comes back in the answer.
  public var requestID: Int
  /// To whom.
  public var to: UInt
  /// The text, at most 32 KiB of UTF-8.
  public var message: String

  /// Longest `message` in bytes.
  public static let maximumMessageByteCount = 32_768

  /// Makes a request.
  public init(requestID: Int, to: UInt, message: String) {
    self.requestID = requestID
    self.to = to
    self.message = message
  }
}

/// What the server sends on a signalling connection.
public enum SignalResponse: Hashable, Sendable {
  /// The answer to `login`.
  case loggedIn(LoggedInResponse)
  /// The text has been handed to its receiver's connection.
  case delivered(UpdatedResponse)
  /// A request was refused (`userOffline` when the receiver is not logged in).
  case error(ErrorResponse)
  /// A text from another user.
  case message(ReceivedMessage)
  /// The server ends this connection; the socket closes next.
  case removed(ErrorResponse)
}

/// The answer to `login`.
public struct LoggedInResponse: Hashable, Codable, Sendable {
  /// Who is logged in.
  public var uid: UInt

  /// Makes an answer.
  public init(uid: UInt) { self.uid = uid }
}

/// A text from another user.
public struct ReceivedMessage: Hashable, Codable, Sendable {
  /// From whom; the server vouches for it.
  public var from: UInt
  /// The text.
  public var message: String

  /// Makes a message.
  public init(from: UInt, message: String) {
    self.from = from
    self.message = message
  }
}

extension SignalRequest: Codable {
  private enum CodingKeys: String, CodingKey { case type }
  private enum Kind: String, Codable { case login, send, logout }

  /// Reads the message that its `type` names; throws when a field is missing or of another type.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .type) {
    case .login: self = .login(try LoginRequest(from: decoder))
    case .send: self = .send(try SendRequest(from: decoder))
    case .logout: self = .logout
    }
  }

  /// Writes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .login(let request):
      try container.encode(Kind.login, forKey: .type)
      try request.encode(to: encoder)
    case .send(let request):
      try container.encode(Kind.send, forKey: .type)
      try request.encode(to: encoder)
    case .logout:
      try container.encode(Kind.logout, forKey: .type)
    }
  }
}

extension SignalResponse: Codable {
  private enum CodingKeys: String, CodingKey { case type }
  private enum Kind: String, Codable { case loggedIn, delivered, error, message, removed }

  /// Reads the message that its `type` names; throws when a field is missing or of another type.
  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .type) {
    case .loggedIn: self = .loggedIn(try LoggedInResponse(from: decoder))
    case .delivered: self = .delivered(try UpdatedResponse(from: decoder))
    case .error: self = .error(try ErrorResponse(from: decoder))
    case .message: self = .message(try ReceivedMessage(from: decoder))
    case .removed: self = .removed(try ErrorResponse(from: decoder))
    }
  }

  /// Writes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    let (kind, payload): (Kind, any Encodable) =
      switch self {
      case .loggedIn(let payload): (.loggedIn, payload)
      case .delivered(let payload): (.delivered, payload)
      case .error(let payload): (.error, payload)
      case .message(let payload): (.message, payload)
      case .removed(let payload): (.removed, payload)
      }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .type)
    try payload.encode(to: encoder)
  }
}
