/// A remote user's video: rates over the last two seconds, and totals since the user came.
public struct RemoteVideoReport: Hashable, Sendable {
  /// Who.
  public var uid: UInt
  /// Width of the newest picture.
  public var width = 0
  /// Height of the newest picture.
  public var height = 0
  /// Kilobits per second received.
  public var receivedBitrate = 0
  /// Pictures per second decoded.
  public var decoderOutputFrameRate = 0
  /// Pictures per second given to canvases and observers: all that are decoded.
  public var rendererOutputFrameRate = 0
  /// Percent of pictures that were thrown away because decoding fell behind.
  public var frameLossRate = 0
  /// Percent of packets that never came, after recovery.
  public var packetLossRate = 0
  /// Milliseconds without a new picture where one was due, in all: pauses of more than 500 ms.
  public var totalFrozenTime = 0
  /// Percent of the time since the user came that is.
  public var frozenRate = 0
  /// Milliseconds since the user came.
  public var totalActiveTime = 0

  /// Nothing yet.
  public init(uid: UInt) { self.uid = uid }
}
