/// Something that produces sound in real time: a microphone, a file played as one, a tone.
public protocol AudioSource: AnyObject, Sendable {
  /// A name for people and logs.
  var name: String { get }

  /// Whether it hears the room that it is in, with its noise and the speaker's echo.
  var hearsRoom: Bool { get }

  /// Starts delivering 10 ms frames at 48 kHz, mono or stereo, to `sink` on a thread of the source's own, until `stop()`.
  /// `onFailure` is called at most once, when the source fails after it had started.
  func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError)

  /// Stops and frees everything. When it returns, `sink` is not running and will not be called again. Idempotent; must not
  /// be called from `sink`.
  func stop()
}

extension AudioSource {
  /// Files, tones and the like do not.
  public var hearsRoom: Bool { false }
}
