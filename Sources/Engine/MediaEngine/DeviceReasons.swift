import MediaBase

extension LocalVideoStateReason {
  /// What is told of a camera that has failed.
  init(_ error: MediaDeviceError) {
    self =
      switch error {
      case .notFound: .deviceNotFound
      case .noPermission: .deviceNoPermission
      case .busy: .deviceBusy
      case .disconnected: .deviceDisconnected
      case .unsupportedFormat, .system: .captureFailure
      }
  }
}

extension LocalAudioStateReason {
  /// What is told of a microphone that has failed.
  init(_ error: MediaDeviceError) {
    self =
      switch error {
      case .notFound, .disconnected: .noRecordingDevice
      case .noPermission: .deviceNoPermission
      case .busy: .deviceBusy
      case .unsupportedFormat, .system: .recordFailure
      }
  }
}
