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
  /// Milliseconds from capture to being shown here, by the wall clocks of both machines, which have to be right (NTP) where
  /// these are two; 0 if unknown.
  public var e2eDelay = 0
  /// Which of the user's video streams the server forwards.
  public var rxStreamType = VideoStreamType.high
  /// Milliseconds by which sound is ahead of pictures as they are heard and shown here; negative if it is behind, 0 if
  /// unknown. Needs no clock to be right.
  public var avSyncTimeMs = 0
  /// Milliseconds for which the user has published video, as far as this side has seen: since the user came at the longest.
  public var publishDuration = 0
  /// Milliseconds without a new picture where one was due, in all: pauses of more than 500 ms.
  public var totalFrozenTime = 0
  /// Percent of the time since the user came that is.
  public var frozenRate = 0
  /// Milliseconds since the user came.
  public var totalActiveTime = 0

  /// Nothing yet.
  public init(uid: UInt) { self.uid = uid }
}
