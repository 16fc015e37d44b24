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

  func tellWarning(_ handle: ConnectionHandle?, _ code: EngineWarningCode, _ message: String) {
    dispatcher.tell(handle, .warning(handle?.connection, code, message: message))
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
    _ = change { intent, _ in
      intent.hasCameraFailed = true
      return .ok
    }
    tellCameraFailure(error)
  }

  /// The camera is away, or (`nil`) back: it goes on by itself, and publishing with it.
  func cameraInterrupted(_ error: MediaDeviceError?) {
    if let error { return tellCameraFailure(error) }
    tellLocalVideo(.capturing, .ok)
    parts.get()?.videoSend.tellNextEncoded()
  }

  private func tellCameraFailure(_ error: MediaDeviceError) {
    tellLocalVideo(.failed, LocalVideoStateReason(error))
    tellError(nil, error.isPermission ? .cameraNotAuthorized : .startCamera, "\(error)")
    if error.isPermission { dispatcher.tell(nil, .permissionError(.camera)) }
  }

  /// The microphone could not be started, or has failed: it publishes nothing until it is enabled anew.
  func microphoneFailed(_ error: MediaDeviceError) {
    _ = change { intent, _ in
      intent.hasMicrophoneFailed = true
      return .ok
    }
    tellMicrophoneFailure(error)
  }

  /// The microphone is away, or (`nil`) back: it goes on by itself, and publishing with it.
  func microphoneInterrupted(_ error: MediaDeviceError?) {
    guard let error else { return tellLocalAudio(.recording, .ok) }
    tellMicrophoneFailure(error)
    tellWarning(nil, .runtimeRecording, "\(error) The microphone is taken again when that has ended.")
  }

  private func tellMicrophoneFailure(_ error: MediaDeviceError) {
    tellLocalAudio(.failed, LocalAudioStateReason(error))
    tellError(nil, .startRecording, "\(error)")
    if error.isPermission { dispatcher.tell(nil, .permissionError(.recordAudio)) }
  }

  /// The speaker could not be started, or has failed. Sound goes on by the clock.
  func playoutFailed(_ error: MediaDeviceError) {
    tellError(nil, .startPlayout, "\(error)")
    tellWarning(nil, .playoutMalfunction, "\(error) Until then sound is decoded and not heard.")
  }

  /// The speaker is away, and is taken again by itself.
  func playoutInterrupted(_ error: MediaDeviceError) {
    tellError(nil, .startPlayout, "\(error)")
    tellWarning(nil, .runtimePlayout, "\(error) The speaker is taken again when that has ended.")
  }

  /// The microphone hears nothing, or almost nothing.
  func microphoneIsQuiet(_ code: EngineWarningCode) {
    tellWarning(
      nil, code,
      code == .recordAudioSilence
        ? "The microphone delivers nothing but silence; is it switched off, or not plugged in?"
        : "The microphone is very quiet; is its gain turned down?")
  }

  /// The speaker has had gaps.
  func playoutHasGaps() {
    tellWarning(nil, .glitch, "Sound is played with gaps, since the speaker asks for it too late; is the machine busy?")
  }
}
