import MediaBase

/// A decoded picture of a remote user, as observers get it.
public struct RemoteVideoFrame: Sendable {
  /// On which connection it came.
  public var connection: RTCConnection
  /// Whose picture it is.
  public var uid: UInt
  /// The picture; its `captureTime` is when the decoder finished.
  public var frame: VideoFrame
  /// When the complete frame had come from the network.
  public var receiveTime: MediaInstant
  /// How long decoding took.
  public var decodeDuration: MediaDuration
}
