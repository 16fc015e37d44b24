/// What the way from here to the server carries, for one connection.
public struct UplinkNetworkInfo: Hashable, Sendable {
  /// What the camera's encoder aims at, in bits per second, by configuration and network.
  public var videoEncoderTargetBitrateBps = 0
  /// How much may be sent in all, in bits per second with all headers; 0 while nothing is known.
  public var bandwidthEstimationBps = 0

  /// Nothing yet.
  public init() {}
}
