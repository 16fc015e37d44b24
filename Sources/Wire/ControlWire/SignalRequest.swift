/// What a client sends on a signalling connection: a way for users to send each other short texts.
public enum SignalRequest: Hashable, Sendable {
  /// First message: say who this is.
  case login(LoginRequest)
  /// Send a text to another user.
  case send(SendRequest)
  /// All texts up to a number have come.
  case received(ReceivedRequest)
  /// Say what a call has cost and how good it was.
  case report(ReportRequest)
  /// Go on with another token.
  case renewToken(RenewTokenRequest)
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
  /// Names this login, so that it can go on over another connection: 16 to 64 bytes that nobody can guess, chosen by the
  /// client and kept secret. Without it nothing is confirmed by the receiver and nothing is kept over a lost connection.
  public var session: String?
  /// With `session`: the number of the last text that has come, 0 at first. Later ones are numbered on from here, by a
  /// server that does not know the session too.
  public var sequence: Int?

  /// How long `session` may be, in bytes of UTF-8.
  public static let sessionByteCounts = 16...64

  /// Which numbers `sequence` may have.
  public static let sequences = 0...(1 << 52)

  /// Makes a request.
  public init(
    version: Int = ControlProtocol.version, uid: UInt, token: String = "", session: String? = nil, sequence: Int? = nil
  ) {
    self.version = version
    self.uid = uid
    self.token = token
    self.session = session
    self.sequence = sequence
  }
}

/// Send a text to another user.
public struct SendRequest: Hashable, Codable, Sendable {
  /// Chosen by the client, rising; comes back in the answer. Within a session the server takes each number once, so a
  /// request without an answer may be sent again. Receivers tell texts of a sender apart by it, so a client begins with a
  /// random number.
  public var requestID: Int
  /// To whom.
  public var to: UInt
  /// The text, at most 32 KiB of UTF-8.
  public var message: String
  /// How long the text is worth delivering, in milliseconds: 1 to `maximumTimeToLive`, 15,000 if it is left out.
  public var timeToLive: Int?

  /// Longest `message` in bytes.
  public static let maximumMessageByteCount = 32_768
  /// What `timeToLive` is if it is left out, in milliseconds.
  public static let defaultTimeToLive = 15_000
  /// Largest `timeToLive` in milliseconds.
  public static let maximumTimeToLive = 600_000

  /// Makes a request.
  public init(requestID: Int, to: UInt, message: String, timeToLive: Int? = nil) {
    self.requestID = requestID
    self.to = to
    self.message = message
    self.timeToLive = timeToLive
  }
}

/// All texts up to a number have come.
public struct ReceivedRequest: Hashable, Codable, Sendable {
  /// The number of the last one.
  public var sequence: Int

  /// Makes a request.
  public init(sequence: Int) { self.sequence = sequence }
}

/// Go on with another token.
public struct RenewTokenRequest: Hashable, Codable, Sendable {
  /// As in `SendRequest`.
  public var requestID: Int
  /// The new token.
  public var token: String

  /// Makes a request.
  public init(requestID: Int, token: String) {
    self.requestID = requestID
    self.token = token
  }
}

extension SignalRequest: Codable {
  private enum CodingKeys: String, CodingKey { case type, uid, to }
  private enum Kind: String, Codable { case login, send, received, report, renewToken, logout }

  /// Reads the message that its `type` names; throws when a field is missing or of another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .type) {
    case .login:
      try container.checkUID(.uid)
      self = .login(try LoginRequest(from: decoder))
    case .send:
      try container.checkUID(.to)
      self = .send(try SendRequest(from: decoder))
    case .received: self = .received(try ReceivedRequest(from: decoder))
    case .report: self = .report(try ReportRequest(from: decoder))
    case .renewToken: self = .renewToken(try RenewTokenRequest(from: decoder))
    case .logout: self = .logout
    }
  }

  /// Writes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    let (kind, payload): (Kind, (any Encodable)?) =
      switch self {
      case .login(let payload): (.login, payload)
      case .send(let payload): (.send, payload)
      case .received(let payload): (.received, payload)
      case .report(let payload): (.report, payload)
      case .renewToken(let payload): (.renewToken, payload)
      case .logout: (.logout, nil)
      }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .type)
    try payload?.encode(to: encoder)
  }
}
