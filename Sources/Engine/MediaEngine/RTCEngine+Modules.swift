import EngineCore

extension RTCEngine {
  /// Turns the video module on, as it is from the beginning if the engine was made with a camera or not. After
  /// `disableVideo()` the camera counts as enabled and nothing of video as muted.
  @discardableResult public func enableVideo() -> Int { setVideoModule(true) }

  /// Turns the video module off: nothing is captured, previewed, published or received. A call with video becomes one with
  /// sound only. Valid in and out of channels, and remembered.
  @discardableResult public func disableVideo() -> Int { setVideoModule(false) }

  /// Turns the audio module on, as it is from the beginning. After `disableAudio()` nothing of audio counts as muted.
  @discardableResult public func enableAudio() -> Int { setAudioModule(true) }

  /// Turns the audio module off: nothing is recorded, published, received or played.
  @discardableResult public func disableAudio() -> Int { setAudioModule(false) }

  private func setVideoModule(_ isOn: Bool) -> Int {
    runtime.change { intent, _ in
      guard isOn != intent.isVideoModuleOn else { return .ok }
      intent.isVideoModuleOn = isOn
      intent.isNextVideoMuted = false
      intent.isLocalVideoEnabled = true
      intent.hasCameraFailed = false
      for index in intent.connections.indices { intent.connections[index].resetVideoMutes() }
      return .ok
    }
  }

  private func setAudioModule(_ isOn: Bool) -> Int {
    runtime.change { intent, _ in
      guard isOn != intent.isAudioModuleOn else { return .ok }
      intent.isAudioModuleOn = isOn
      intent.isNextAudioMuted = false
      intent.hasMicrophoneFailed = false
      for index in intent.connections.indices { intent.connections[index].resetAudioMutes() }
      return .ok
    }
  }
}
