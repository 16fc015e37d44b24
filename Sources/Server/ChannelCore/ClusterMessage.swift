public import ControlWire
import MediaBase

/// What servers say to each other, as JSON.
public enum ClusterMessage: Hashable, Sendable {
  /// A text for a user of the receiving server.
  case text(RemoteText, server: String)
  /// What has become of a text.
  case answer(number: UInt64, error: ErrorResponse?)
  /// A user of the receiving server has logged in at another, by a claim with this number.
  case taken(uid: UInt, number: UInt64)
}

extension ClusterMessage: Codable {
  private enum CodingKeys: String, CodingKey {
    case type, server, number, from, to, message, messageID, timeToLive, error, uid
  }
  private enum Kind: String, Codable { case text, answer, taken }

  /// Reads what another server has written; throws for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .type) {
    case .text:
      let milliseconds = try container.decode(Int64.self, forKey: .timeToLive)
      let timeToLive = MediaDuration.milliseconds(
        min(max(milliseconds, 1), Int64(SendRequest.maximumTimeToLive)))
      self = .text(
        RemoteText(
          number: try container.decode(UInt64.self, forKey: .number),
          from: try container.decode(UInt.self, forKey: .from), to: try container.decode(UInt.self, forKey: .to),
          message: try container.decode(String.self, forKey: .message),
          messageID: try container.decodeIfPresent(Int.self, forKey: .messageID), timeToLive: timeToLive),
        server: try container.decode(String.self, forKey: .server))
    case .answer:
      self = .answer(
        number: try container.decode(UInt64.self, forKey: .number),
        error: try container.decodeIfPresent(ErrorResponse.self, forKey: .error))
    case .taken:
      self = .taken(
        uid: try container.decode(UInt.self, forKey: .uid), number: try container.decode(UInt64.self, forKey: .number))
    }
  }

  /// Writes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .text(let text, let server):
      try container.encode(Kind.text, forKey: .type)
      try container.encode(server, forKey: .server)
      try container.encode(text.number, forKey: .number)
      try container.encode(text.from, forKey: .from)
      try container.encode(text.to, forKey: .to)
      try container.encode(text.message, forKey: .message)
      try container.encodeIfPresent(text.messageID, forKey: .messageID)
      try container.encode(text.timeToLive.milliseconds, forKey: .timeToLive)
    case .answer(let number, let error):
      try container.encode(Kind.answer, forKey: .type)
      try container.encode(number, forKey: .number)
      try container.encodeIfPresent(error, forKey: .error)
    case .taken(let uid, let number):
      try container.encode(Kind.taken, forKey: .type)
      try container.encode(uid, forKey: .uid)
      try container.encode(number, forKey: .number)
    }
  }
}
