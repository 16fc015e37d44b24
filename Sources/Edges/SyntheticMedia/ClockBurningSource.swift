public import MediaBase

/// A source of pictures with the burnt-in clock drawn on each (see `FrameClock`): for measuring how long pictures of a
/// camera take.
public final class ClockBurningSource: VideoSource, RecoveringSource {
  private let source: any VideoSource

  /// Wraps a source.
  public init(_ source: any VideoSource) { self.source = source }

  /// The wrapped source's name.
  public var name: String { source.name }

  /// Starts the wrapped source; each picture gets its time of capture.
  public func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    try source.start(
      format: format,
      sink: { frame in
        FrameClock.draw(frame.captureTime, on: frame)
        sink(frame)
      }, onFailure: onFailure)
  }

  /// Hands the observer on, where the wrapped source can be interrupted.
  public func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) {
    (source as? any RecoveringSource)?.setInterruptionObserver(observer)
  }

  /// Stops the wrapped source.
  public func stop() { source.stop() }
}
