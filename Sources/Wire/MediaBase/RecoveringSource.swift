/// A source or playout whose device may go away while it is started, and that goes on by itself when the device is back.
public protocol RecoveringSource: AnyObject, Sendable {
  /// Has `observer` told why the device is interrupted, each time that changes, and `nil` when it goes on; on a thread of
  /// the source's own. It takes the place of the observer before.
  func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?)
}
