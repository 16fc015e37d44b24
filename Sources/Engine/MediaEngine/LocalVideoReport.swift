/// The local video on one connection: rates over the last two seconds.
public struct LocalVideoReport: Hashable, Sendable {
  /// The local user's number.
  public var uid: UInt = 0
  /// Kilobits per second sent, without retransmissions.
  public var sentBitrate = 0
  /// Pictures per second sent.
  public var sentFrameRate = 0
  /// Pictures per second captured.
  public var captureFrameRate = 0
  /// Width of captured pictures.
  public var captureFrameWidth = 0
  /// Height of captured pictures.
  public var captureFrameHeight = 0
  /// Pictures per second encoded, for all connections together.
  public var encoderOutputFrameRate = 0
  /// Kilobits per second that the encoder aims at.
  public var targetBitrate = 0
  /// Pictures per second that the encoder is allowed.
  public var targetFrameRate = 0
  /// Pictures sent since the connection was joined.
  public var encodedFrameCount = 0
  /// 1: VP8.
  public var codecType = 1
  /// Percent of packets that the server has missed; 0 if it has not said.
  public var txPacketLossRate = 0

  /// Nothing yet.
  public init() {}
}
