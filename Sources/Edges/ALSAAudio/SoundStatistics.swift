/// How a microphone or speaker fares since it was started.
public struct SoundStatistics: Hashable, Sendable {
  /// The device's own rate in samples per second, and channels; 0 while it is away.
  public var rate = 0
  /// Channels of the device.
  public var channelCount = 0
  /// How often its buffer ran over or dry because the program was late, or the machine slept.
  public var interruptions = 0
  /// How often the device was opened again after it had failed or gone.
  public var restarts = 0
  /// The device's clock by the system's, divided by what it should be: 1.0001 is 0.1 per mille fast.
  public var clockRatio = 1.0

  /// Nothing yet.
  public init() {}
}
