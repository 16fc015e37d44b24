/// A piece of data for everybody in the channel.
public struct StreamMessageRequest: Hashable, Codable, Sendable {
  /// Which of the sender's data streams, 1 to `DataStreamLimits.streamCount`.
  public var streamID: Int
  /// Counts the messages of this stream from 1, so that a receiver knows what it has missed.
  public var sequence: Int
  /// At most `DataStreamLimits.messageByteCount` bytes, as lower-case hexadecimal digits.
  public var data: String
  /// Whether the data are encrypted between the ends, and then `DataStreamLimits.encryptionByteCount` bytes longer.
  public var isEncrypted: Bool?

  /// Makes a message.
  public init(streamID: Int, sequence: Int, data: String, isEncrypted: Bool? = nil) {
    self.streamID = streamID
    self.sequence = sequence
    self.data = data
    self.isEncrypted = isEncrypted
  }
}

/// A piece of data from somebody in the channel.
public struct StreamMessageResponse: Hashable, Codable, Sendable {
  /// Who has sent it; the server vouches for that.
  public var uid: UInt
  /// Which of the sender's data streams.
  public var streamID: Int
  /// The sender's count on this stream.
  public var sequence: Int
  /// The bytes, as hexadecimal digits.
  public var data: String
  /// Whether the sender has encrypted them for those who have its key.
  public var isEncrypted: Bool?

  /// Makes a message.
  public init(uid: UInt, streamID: Int, sequence: Int, data: String, isEncrypted: Bool? = nil) {
    self.uid = uid
    self.streamID = streamID
    self.sequence = sequence
    self.data = data
    self.isEncrypted = isEncrypted
  }
}
