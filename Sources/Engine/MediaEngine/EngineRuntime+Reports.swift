import EngineCore
import LinuxIO
import MediaBase
import Synchronization

extension EngineRuntime {
  func tellLocalVideo(_ state: LocalVideoState, _ reason: LocalVideoStateReason) {
    dispatcher.tell(nil) { engine, delegate in
      delegate.rtcEngine(engine, localVideoStateChanged: state, reason: reason)
    }
  }

  func tellLocalAudio(_ state: LocalAudioState, _ reason: LocalAudioStateReason) {
    dispatcher.tell(nil) { engine, delegate in
      delegate.rtcEngine(engine, localAudioStateChanged: state, reason: reason)
    }
  }

  func tellError(_ handle: ConnectionHandle?, _ code: EngineErrorCode, _ message: String) {
    dispatcher.tell(handle) { engine, delegate in
      delegate.rtcEngine(engine, connection: handle?.connection, didOccurError: code, message: message)
    }
  }

  func firstCaptured(_ frame: VideoFrame) {
    let elapsed = Int((MonotonicClock.now() - captureRequestTime.withLock { $0 }).milliseconds)
    let (width, height) = (frame.width, frame.height)
    tellLocalVideo(.capturing, .ok)
    dispatcher.tell(nil) { engine, delegate in
      delegate.rtcEngine(engine, firstLocalVideoFrame: width, height: height, elapsed: elapsed)
    }
  }

  func firstDecoded(_ handle: ConnectionHandle, _ uid: UInt, _ frame: VideoFrame) {
    let elapsed = handle.elapsedMilliseconds
    let (width, height) = (frame.width, frame.height)
    dispatcher.tell(handle) { engine, delegate in
      delegate.rtcEngine(
        engine, connection: handle.connection, firstRemoteVideoFrameOfUID: uid, width: width, height: height,
        elapsed: elapsed)
    }
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
