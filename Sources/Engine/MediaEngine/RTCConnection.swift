/// Names one connection of an engine: a channel and the local user's number in it. The pair is unique in an engine.
public struct RTCConnection: Hashable, Sendable, CustomStringConvertible {
  /// The channel's name.
  public var channelID: String
  /// The local user's number. For a default connection joined with 0 it is 0 until the server has chosen one.
  public var localUID: UInt

  /// Names a connection.
  public init(channelID: String, localUID: UInt) {
    self.channelID = channelID
    self.localUID = localUID
  }

  /// Channel and uid, for logs.
  public var description: String { "\(channelID)/\(localUID)" }
}
