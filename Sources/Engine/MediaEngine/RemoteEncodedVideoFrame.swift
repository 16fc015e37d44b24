import MediaBase

/// A picture of a remote user before it is decoded, as observers get it.
public struct RemoteEncodedVideoFrame: Sendable {
  /// On which connection it came.
  public var connection: RTCConnection
  /// Whose picture it is.
  public var uid: UInt
  /// The picture: VP8 (RFC 6386), with its RTP timestamp.
  public var frame: EncodedVideoFrame
  /// When the complete picture had come from the network.
  public var receiveTime: MediaInstant
}
