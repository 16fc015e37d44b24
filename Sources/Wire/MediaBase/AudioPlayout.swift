/// Something that plays sound in real time: a speaker, or a clock that only pretends to.
public protocol AudioPlayout: AnyObject, Sendable {
  /// A name for people and logs.
  var name: String { get }

  /// From the time that sound is filled in until it is heard.
  var delay: MediaDuration { get }

  /// Starts asking for sound. `fill` is called every 10 ms on a thread of the playout's own with room for 480 frames of
  /// interleaved stereo at 48 kHz (960 samples), and must fill all of it without blocking.
  func start(
    fill: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError)

  /// Stops and frees everything. When it returns, `fill` is not running and will not be called again. Idempotent.
  func stop()
}

extension AudioPlayout {
  /// Nobody hears it.
  public var delay: MediaDuration { .zero }
}
