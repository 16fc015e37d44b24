/// How long the way to a user's first picture took, in milliseconds. Segments whose end did not come, or came before their
/// beginning, are 0.
public struct VideoRenderingTracingInfo: Hashable, Sendable {
  /// From `startMediaRenderingTracing` (the join call without it) to the event.
  public var elapsedTime = 0
  /// From the start of tracing to the join call.
  public var start2JoinChannel = 0
  /// From the join call to being in the channel.
  public var join2JoinSuccess = 0
  /// From being in the channel, or from the start of tracing if that was later, to the user's appearance.
  public var joinSuccess2RemoteJoined = 0
  /// From the user's appearance, or from the start of tracing or the join if that was later, to the canvas.
  public var remoteJoined2SetView = 0
  /// From the user's appearance to the subscription to a published video.
  public var remoteJoined2UnmuteVideo = 0
  /// From the user's appearance to the first packet of video.
  public var remoteJoined2PacketReceived = 0

  /// Nothing yet.
  public init() {}
}
