import CHiredis

/// What Redis answers.
public enum RedisReply: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case array([RedisReply])
  /// Redis refuses the command, in its own words.
  case error(String)

  /// The text, if it is one.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The whole number, if it is one.
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  init(_ reply: UnsafePointer<redisReply>) {
    switch reply.pointee.type {
    case REDIS_REPLY_INTEGER: self = .integer(reply.pointee.integer)
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .text(Self.text(of: reply))
    case REDIS_REPLY_ERROR: self = .error(Self.text(of: reply))
    case REDIS_REPLY_ARRAY:
      self = .array(
        (0..<reply.pointee.elements).map { index in
          reply.pointee.element?[index].map { RedisReply(UnsafePointer($0)) } ?? .null
        })
    default: self = .null
    }
  }

  private static func text(of reply: UnsafePointer<redisReply>) -> String {
    guard let bytes = reply.pointee.str else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: reply.pointee.len), as: UTF8.self)
  }
}
