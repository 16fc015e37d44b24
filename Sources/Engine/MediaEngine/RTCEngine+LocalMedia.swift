import EngineCore
import MediaBase

extension RTCEngine {
  /// What to encode, at once and for later connections.
  ///
  /// - Returns: 0; -2 (a value out of range), -7.
  @discardableResult
  public func setVideoEncoderConfiguration(_ configuration: VideoEncoderConfiguration) -> Int {
    runtime.change { intent, _ in
      guard configuration.isValid else { return .invalidArgument }
      intent.encoder = configuration
      return .ok
    }
  }

  /// What to encode for one connection. Connections with equal configurations share one encoder.
  ///
  /// - Returns: 0; -2 (a value out of range), -8 (no such connection), -7.
  @discardableResult
  public func setVideoEncoderConfigurationEx(
    _ configuration: VideoEncoderConfiguration, connection: RTCConnection
  ) -> Int {
    changeConnection(connection) { connection in
      guard configuration.isValid else { return .invalidArgument }
      connection.encoder = configuration
      return .ok
    }
  }

  /// Whether a second, smaller stream of the camera is sent beside the first, encoded once for all connections, for receivers
  /// who ask for it (`setRemoteVideoStreamType(uid:type:)`) or whose bandwidth is short. `autoSimulcastStream` to begin with.
  /// Connections that are joined while it is disabled begin with it when they join again; disabling ends it on all at once.
  ///
  /// - Parameters:
  ///   - mode: when there is a second stream.
  ///   - configuration: the smaller stream; `nil` for half the width and height of the first.
  /// - Returns: 0; -2 (a value out of range), -7.
  @discardableResult
  public func setDualStreamMode(_ mode: SimulcastStreamMode, configuration: VideoEncoderConfiguration? = nil) -> Int {
    runtime.change { intent, _ in
      guard configuration?.isValid ?? true else { return .invalidArgument }
      intent.simulcastMode = mode
      intent.lowEncoder = configuration
      return .ok
    }
  }

  /// `setDualStreamMode(_:configuration:)` with always or never.
  ///
  /// - Returns: 0; -2 (a value out of range), -7.
  @discardableResult
  public func enableDualStreamMode(_ enabled: Bool, configuration: VideoEncoderConfiguration? = nil) -> Int {
    setDualStreamMode(enabled ? .enableSimulcastStream : .disableSimulcastStream, configuration: configuration)
  }

  /// Turns the camera on (the default) or off. Off stops capture and publishing on all connections, also on those that are
  /// joined while it is off; on again does **not** publish by itself: set `publishCameraTrack` by an update then.
  @discardableResult public func enableLocalVideo(_ enabled: Bool) -> Int {
    runtime.change { intent, _ in
      if intent.isLocalVideoEnabled, !enabled {
        for index in intent.connections.indices { intent.connections[index].waitsForRepublish = true }
      }
      intent.isLocalVideoEnabled = enabled
      intent.hasCameraFailed = false
      return .ok
    }
  }

  /// Publishes another camera from now on, on all connections, without leaving them. The camera before is closed. If the
  /// new one cannot be started, `localVideoStateChanged` says why, and nothing is published until the next call.
  ///
  /// - Returns: 0; -3 (the engine was made without a camera), -7.
  @discardableResult public func switchCamera(to source: any VideoSource) -> Int {
    var old: (any VideoSource)?
    let code = runtime.change { intent, parts in
      guard intent.hasCamera else { return .notReady }
      intent.hasCameraFailed = false
      old = parts.devices.switchVideo(to: source)
      return .ok
    }
    // Without a lock: what it keeps alive may call the engine when it goes.
    withExtendedLifetime(old) {}
    return code
  }

  /// Turns the microphone on (the default) or off. Off stops capture and publishing on all connections; publishing
  /// continues when it is turned on again, or begins if they were joined meanwhile.
  @discardableResult public func enableLocalAudio(_ enabled: Bool) -> Int {
    runtime.change { intent, _ in
      intent.isLocalAudioEnabled = enabled
      if !enabled { intent.keepsMicrophone = false }
      intent.hasMicrophoneFailed = false
      return .ok
    }
  }

  /// Captures for the local canvas even when nothing is published. Survives leaving.
  @discardableResult public func startPreview() -> Int { setPreviewing(true) }

  /// Ends what `startPreview()` began.
  @discardableResult public func stopPreview() -> Int { setPreviewing(false) }

  private func setPreviewing(_ isPreviewing: Bool) -> Int {
    runtime.change { intent, _ in
      intent.isPreviewing = isPreviewing
      return .ok
    }
  }

  /// Stops or resumes sending the camera on the default connection; capture goes on. Outside a channel it is how the next
  /// default connection begins.
  @discardableResult public func muteLocalVideoStream(_ mute: Bool) -> Int {
    muteLocal(\.isVideoMuted, next: \.isNextVideoMuted, mute)
  }

  /// Stops or resumes sending the microphone on the default connection; capture goes on. Outside a channel it is how the
  /// next default connection begins.
  @discardableResult public func muteLocalAudioStream(_ mute: Bool) -> Int {
    muteLocal(\.isAudioMuted, next: \.isNextAudioMuted, mute)
  }

  /// Stops or resumes sending the camera on one connection; capture goes on.
  ///
  /// - Returns: 0; -8 (no such connection), -7.
  @discardableResult
  public func muteLocalVideoStreamEx(_ mute: Bool, connection: RTCConnection) -> Int {
    changeConnection(connection) { connection in
      connection.isVideoMuted = mute
      return .ok
    }
  }

  /// Stops or resumes sending the microphone on one connection; capture goes on.
  ///
  /// - Returns: 0; -8 (no such connection), -7.
  @discardableResult
  public func muteLocalAudioStreamEx(_ mute: Bool, connection: RTCConnection) -> Int {
    changeConnection(connection) { connection in
      connection.isAudioMuted = mute
      return .ok
    }
  }

  private func muteLocal(
    _ track: WritableKeyPath<ConnectionIntent, Bool>, next: WritableKeyPath<EngineIntent, Bool>, _ mute: Bool
  ) -> Int {
    runtime.change { intent, _ in
      if let index = intent.usableIndex(of: nil) {
        intent.connections[index][keyPath: track] = mute
      } else {
        intent[keyPath: next] = mute
      }
      return .ok
    }
  }
}
