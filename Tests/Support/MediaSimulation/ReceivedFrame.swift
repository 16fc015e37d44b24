public import MediaBase

/// A whole picture or a packet of sound that a user has got.
public struct ReceivedFrame: Hashable, Sendable {
  /// In which channel.
  public var channel: String
  /// Of whom.
  public var uid: UInt
  /// Whether it is a picture.
  public var isVideo: Bool
  /// Its length.
  public var byteCount: Int
  /// Whether it is of the smaller one of two video streams.
  public var isLow: Bool
  /// When it was captured at the sender; one clock rules the whole world.
  public var captureTime: MediaInstant
  /// When it came out of the receiver's connection.
  public var arrivalTime: MediaInstant
}
