import MediaBase

/// What the system does not allow this process. The raw values are those of the SDKs.
public enum PermissionType: Int, Sendable, CaseIterable {
  /// To record sound.
  case recordAudio = 0
  /// To use the camera.
  case camera = 1
  /// Never told: there is no screen capture.
  case screenCapture = 2
}

extension MediaDeviceError {
  /// Whether the system has refused (EACCES, EPERM).
  var isPermission: Bool { if case .noPermission = self { true } else { false } }
}
