extension RTCEngine {
  /// What to encode, at once and for later connections.
  ///
  /// - Returns: 0; -2 (a value out of range), -7.
  @discardableResult
  public func setVideoEncoderConfiguration(_ configuration: VideoEncoderConfiguration) -> Int { Self.notInitialized }

  /// What to encode for one connection. Connections with equal configurations share one encoder.
  ///
  /// - Returns: 0; -2 (a value out of range), -8 (no such connection), -7.
  @discardableResult
  public func setVideoEncoderConfigurationEx(_ configuration: VideoEncoderConfiguration, connection: RTCConnection)
    -> Int
  { Self.notInitialized }

  /// Turns the camera on (the default) or off. Off stops capture and publishing on all connections; on again does **not**
  /// publish by itself: set `publishCameraTrack` again.
  @discardableResult public func enableLocalVideo(_ enabled: Bool) -> Int { Self.notInitialized }

  /// Turns the microphone on (the default) or off. Off stops capture and publishing on all connections; publishing
  /// continues when it is turned on again.
  @discardableResult public func enableLocalAudio(_ enabled: Bool) -> Int { Self.notInitialized }

  /// Captures for the local canvas even when nothing is published. Survives leaving.
  @discardableResult public func startPreview() -> Int { Self.notInitialized }

  /// Ends what `startPreview()` began.
  @discardableResult public func stopPreview() -> Int { Self.notInitialized }

  /// Stops or resumes sending the camera on the default connection; capture goes on.
  @discardableResult public func muteLocalVideoStream(_ mute: Bool) -> Int { Self.notInitialized }

  /// Stops or resumes sending the microphone on the default connection; capture goes on.
  @discardableResult public func muteLocalAudioStream(_ mute: Bool) -> Int { Self.notInitialized }

  /// Stops or resumes sending the camera on one connection; capture goes on.
  @discardableResult
  public func muteLocalVideoStreamEx(_ mute: Bool, connection: RTCConnection) -> Int { Self.notInitialized }

  /// Stops or resumes sending the microphone on one connection; capture goes on.
  @discardableResult
  public func muteLocalAudioStreamEx(_ mute: Bool, connection: RTCConnection) -> Int { Self.notInitialized }
}
