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
  /// How bright what is captured is.
  public var captureBrightnessLevel = CaptureBrightnessLevel.invalid
  /// Pictures per second encoded in this connection's configuration, for all connections that have the same.
  public var encoderOutputFrameRate = 0
  /// Pictures per second given to the local canvases.
  public var rendererOutputFrameRate = 0
  /// Kilobits per second that the encoder aims at now, by configuration and network.
  public var targetBitrate = 0
  /// Pictures per second that the encoder makes at most now, by configuration and network.
  public var targetFrameRate = 0
  /// How that has changed since the last report.
  public var qualityAdaptIndication = QualityAdaptIndication.none
  /// Kilobits per second that the encoder has made.
  public var encodedBitrate = 0
  /// Width of the newest encoded picture.
  public var encodedFrameWidth = 0
  /// Height of the newest encoded picture.
  public var encodedFrameHeight = 0
  /// Pictures that the encoder has made since it was made.
  public var encodedFrameCount = 0
  /// Whether a smaller stream is sent beside this one.
  public var dualStreamEnabled = false
  /// Whether encoding is done by hardware: 0, it never is.
  public var hwEncoderAccelerating = 0
  /// 1: VP8.
  public var codecType = 1
  /// Percent of packets that the server has missed; 0 if it has not said.
  public var txPacketLossRate = 0

  /// Nothing yet.
  public init() {}
}
