/// Why the local video's state has changed. The raw values are those of the SDKs.
public enum LocalVideoStateReason: Int, Sendable, CaseIterable {
  /// As asked.
  case ok = 0
  /// No stated reason.
  case failure = 1
  /// The camera may not be opened.
  case deviceNoPermission = 2
  /// Somebody else uses the camera.
  case deviceBusy = 3
  /// The camera does not deliver.
  case captureFailure = 4
  /// The codec failed.
  case codecNotSupported = 5
  /// There is no such camera or file.
  case deviceNotFound = 8
  /// The camera has been unplugged.
  case deviceDisconnected = 9
  /// The camera's name is not valid.
  case deviceInvalidID = 10
}
