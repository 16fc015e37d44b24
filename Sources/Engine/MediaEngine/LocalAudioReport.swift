/// The local audio on one connection: rates over the last two seconds.
public struct LocalAudioReport: Hashable, Sendable {
  /// 1 or 2.
  public var numChannels = 1
  /// Samples per second: 48,000.
  public var sentSampleRate = 48_000
  /// Kilobits per second sent.
  public var sentBitrate = 0
  /// The codec: 1, Opus.
  public var internalCodec = 1
  /// Milliseconds from the capture of sound to its being taken by the engine.
  public var audioDeviceDelay = 0
  /// Milliseconds from the engine's giving sound out to its being heard; 0 without a speaker.
  public var audioPlayoutDelay = 0
  /// Percent of packets that the server has missed; 0 if it has not said.
  public var txPacketLossRate = 0

  /// Nothing yet.
  public init() {}
}
