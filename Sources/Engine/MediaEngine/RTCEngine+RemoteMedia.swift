extension RTCEngine {
  /// Stops or resumes receiving one user's video on the default connection. Forgotten when the user leaves.
  @discardableResult public func muteRemoteVideoStream(uid: UInt, mute: Bool) -> Int { Self.notInitialized }

  /// Stops or resumes receiving one user's audio on the default connection. Forgotten when the user leaves.
  @discardableResult public func muteRemoteAudioStream(uid: UInt, mute: Bool) -> Int { Self.notInitialized }

  /// Stops or resumes receiving one user's video on one connection.
  @discardableResult
  public func muteRemoteVideoStreamEx(uid: UInt, mute: Bool, connection: RTCConnection) -> Int { Self.notInitialized }

  /// Stops or resumes receiving one user's audio on one connection.
  @discardableResult
  public func muteRemoteAudioStreamEx(uid: UInt, mute: Bool, connection: RTCConnection) -> Int { Self.notInitialized }

  /// Stops or resumes receiving everybody's video on the default connection, present and future users alike.
  @discardableResult public func muteAllRemoteVideoStreams(_ mute: Bool) -> Int { Self.notInitialized }

  /// Stops or resumes receiving everybody's audio on the default connection, present and future users alike.
  @discardableResult public func muteAllRemoteAudioStreams(_ mute: Bool) -> Int { Self.notInitialized }

  /// Stops or resumes receiving everybody's video on one connection.
  @discardableResult
  public func muteAllRemoteVideoStreamsEx(_ mute: Bool, connection: RTCConnection) -> Int { Self.notInitialized }

  /// Stops or resumes receiving everybody's audio on one connection.
  @discardableResult
  public func muteAllRemoteAudioStreamsEx(_ mute: Bool, connection: RTCConnection) -> Int { Self.notInitialized }

  /// How loud one user of the default connection is played, 0 (silent) to 100 (as sent). Remembered for users who are not
  /// there yet.
  ///
  /// - Returns: 0; -2 (volume out of range), -8 (not in a channel), -7.
  @discardableResult
  public func adjustUserPlaybackSignalVolume(uid: UInt, volume: Int) -> Int { Self.notInitialized }

  /// How loud one user of one connection is played, 0 (silent) to 100 (as sent). Remembered for users who are not there yet.
  ///
  /// - Returns: 0; -2 (volume out of range), -8 (no such connection), -7.
  @discardableResult
  public func adjustUserPlaybackSignalVolumeEx(uid: UInt, volume: Int, connection: RTCConnection) -> Int {
    Self.notInitialized
  }
}
