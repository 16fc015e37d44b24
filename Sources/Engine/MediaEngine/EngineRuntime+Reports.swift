import EngineCore
import LinuxIO
import MediaBase
import Synchronization

extension EngineRuntime {
  func tellLocalVideo(_ state: LocalVideoState, _ reason: LocalVideoStateReason) {
    dispatcher.tell(nil, .localVideoState(state, reason: reason))
  }

  func tellLocalAudio(_ state: LocalAudioState, _ reason: LocalAudioStateReason) {
    dispatcher.tell(nil, .localAudioState(state, reason: reason))
  }

  func tellError(_ handle: ConnectionHandle?, _ code: EngineErrorCode, _ message: String) {
    dispatcher.tell(handle, .error(handle?.connection, code, message: message))
  }

  func firstCaptured(_ frame: VideoFrame) {
    let elapsed = Int((MonotonicClock.now() - captureRequestTime.withLock { $0 }).milliseconds)
    tellLocalVideo(.capturing, .ok)
    dispatcher.tell(nil, .firstLocalVideoFrame(width: frame.width, height: frame.height, elapsed: elapsed))
  }

  func firstDecoded(_ handle: ConnectionHandle, _ uid: UInt, _ frame: VideoFrame) {
    let connection = handle.connection
    tell(
      handle,
      .firstRemoteVideoDecoded(
        connection, uid: uid, width: frame.width, height: frame.height, elapsed: handle.elapsedMilliseconds))
    if let info = handle.tracer.finish(uid, .videoDecoded) {
      tell(handle, .renderingTrace(connection, uid: uid, .videoDecoded, info))
    }
  }

  func firstRendered(_ handle: ConnectionHandle, _ uid: UInt, _ frame: VideoFrame) {
    let connection = handle.connection
    tell(
      handle,
      .firstRemoteVideoFrame(
        connection, uid: uid, width: frame.width, height: frame.height, elapsed: handle.elapsedMilliseconds))
    if let info = handle.tracer.finish(uid, .videoRendered) {
      tell(handle, .renderingTrace(connection, uid: uid, .videoRendered, info))
    }
  }

  func firstAudioDecoded(_ handle: ConnectionHandle, _ uid: UInt) {
    tell(handle, .firstRemoteAudioDecoded(handle.connection, uid: uid, elapsed: handle.elapsedMilliseconds))
  }

  /// - Parameter handle: `nil` for the local camera.
  func sizeChanged(_ handle: ConnectionHandle?, _ uid: UInt, _ frame: VideoFrame) {
    dispatcher.tell(
      handle,
      .videoSizeChanged(
        handle?.connection, uid: uid, width: frame.width, height: frame.height, rotation: frame.rotation))
  }

  /// The camera could not be started, or has failed: it publishes nothing until it is enabled anew.
  func cameraFailed(_ error: MediaDeviceError) {
    let reason: LocalVideoStateReason =
      switch error {
      case .notFound: .deviceNotFound
      case .noPermission: .deviceNoPermission
      case .busy: .deviceBusy
      case .disconnected: .deviceDisconnected
      case .unsupportedFormat, .system: .captureFailure
      }
    _ = change { intent, _ in
      intent.hasCameraFailed = true
      return .ok
    }
    tellLocalVideo(.failed, reason)
    let code: EngineErrorCode = if case .noPermission = error { .cameraNotAuthorized } else { .startCamera }
    tellError(nil, code, "\(error)")
  }

  /// The microphone could not be started, or has failed: it publishes nothing until it is enabled anew.
  func microphoneFailed(_ error: MediaDeviceError) {
    let reason: LocalAudioStateReason =
      switch error {
      case .notFound: .noRecordingDevice
      case .noPermission: .deviceNoPermission
      case .busy: .deviceBusy
      case .disconnected, .unsupportedFormat, .system: .recordFailure
      }
    _ = change { intent, _ in
      intent.hasMicrophoneFailed = true
      return .ok
    }
    tellLocalAudio(.failed, reason)
    tellError(nil, .startRecording, "\(error)")
  }

  /// The speaker could not be started, or has failed. Sound goes on by the clock.
  func playoutFailed(_ error: MediaDeviceError) { tellError(nil, .startPlayout, "\(error)") }
}
