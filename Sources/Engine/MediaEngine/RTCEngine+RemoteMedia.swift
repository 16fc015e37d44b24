import ControlWire
import EngineCore

extension RTCEngine {
  /// Stops or resumes receiving one user's video on the default connection. Forgotten when the user leaves.
  ///
  /// - Returns: 0; -121 (uid), -8 (not in a channel), -7. So do all calls of this kind.
  @discardableResult public func muteRemoteVideoStream(uid: UInt, mute: Bool) -> Int {
    muteRemote(nil, uid, \.video, mute)
  }

  /// Stops or resumes receiving one user's audio on the default connection. Forgotten when the user leaves.
  @discardableResult public func muteRemoteAudioStream(uid: UInt, mute: Bool) -> Int {
    muteRemote(nil, uid, \.audio, mute)
  }

  /// Stops or resumes receiving one user's video on one connection.
  @discardableResult
  public func muteRemoteVideoStreamEx(uid: UInt, mute: Bool, connection: RTCConnection) -> Int {
    muteRemote(connection, uid, \.video, mute)
  }

  /// Stops or resumes receiving one user's audio on one connection.
  @discardableResult
  public func muteRemoteAudioStreamEx(uid: UInt, mute: Bool, connection: RTCConnection) -> Int {
    muteRemote(connection, uid, \.audio, mute)
  }

  /// Stops or resumes receiving everybody's video on the default connection, present and future users alike.
  @discardableResult public func muteAllRemoteVideoStreams(_ mute: Bool) -> Int { muteAllRemote(nil, \.video, mute) }

  /// Stops or resumes receiving everybody's audio on the default connection, present and future users alike.
  @discardableResult public func muteAllRemoteAudioStreams(_ mute: Bool) -> Int { muteAllRemote(nil, \.audio, mute) }

  /// Stops or resumes receiving everybody's video on one connection.
  @discardableResult
  public func muteAllRemoteVideoStreamsEx(_ mute: Bool, connection: RTCConnection) -> Int {
    muteAllRemote(connection, \.video, mute)
  }

  /// Stops or resumes receiving everybody's audio on one connection.
  @discardableResult
  public func muteAllRemoteAudioStreamsEx(_ mute: Bool, connection: RTCConnection) -> Int {
    muteAllRemote(connection, \.audio, mute)
  }

  /// Which stream of one user is received on the default connection, if that user sends two. The other one comes with its
  /// next key frame; until then the present one goes on. Forgotten when the user leaves.
  @discardableResult
  public func setRemoteVideoStreamType(uid: UInt, type: VideoStreamType) -> Int { setStreamType(nil, uid, type) }

  /// Which stream of one user is received on one connection, if that user sends two.
  @discardableResult
  public func setRemoteVideoStreamTypeEx(uid: UInt, type: VideoStreamType, connection: RTCConnection) -> Int {
    setStreamType(connection, uid, type)
  }

  /// Which stream is received of users for whom nothing else has been said, present and future: on the default connection,
  /// and on those that are joined later. `high` to begin with.
  ///
  /// - Returns: 0; -7.
  @discardableResult
  public func setRemoteDefaultVideoStreamType(_ type: VideoStreamType) -> Int {
    runtime.change { intent, _ in
      intent.defaultStreamType = type
      if let index = intent.usableIndex(of: nil) { intent.connections[index].streamType = type }
      return .ok
    }
  }

  /// What may become of received videos where the network does not carry them, on all connections. `audioOnly` to begin
  /// with: smaller pictures or fewer, then sound only, which `didRemoteSubscribeFallbackToAudioOnly` tells.
  ///
  /// - Returns: 0; -7.
  @discardableResult
  public func setRemoteSubscribeFallbackOption(_ option: StreamFallbackOption) -> Int {
    runtime.change { intent, _ in
      intent.fallback = option
      return .ok
    }
  }

  /// How many temporal layers of one user's video are received at most on the default connection, if that user sends several
  /// (`VideoEncoderConfiguration.temporalLayerCount`; browsers send up to three): the lowest one alone has half or a quarter
  /// of the pictures. Needs no key frame. Forgotten when the user leaves.
  ///
  /// - Parameters:
  ///   - uid: whose video.
  ///   - limit: 1 to 4; 4 is all there can be.
  /// - Returns: 0; -2 (limit out of range), -121 (uid), -8 (not in a channel), -7.
  @discardableResult
  public func setRemoteVideoTemporalLayerLimit(uid: UInt, limit: Int) -> Int { setTemporalLimit(nil, uid, limit) }

  /// How many temporal layers of one user's video are received at most on one connection.
  ///
  /// - Parameters:
  ///   - uid: whose video.
  ///   - limit: 1 to 4; 4 is all there can be.
  ///   - connection: which.
  /// - Returns: as `setRemoteVideoTemporalLayerLimit(uid:limit:)`.
  @discardableResult
  public func setRemoteVideoTemporalLayerLimitEx(uid: UInt, limit: Int, connection: RTCConnection) -> Int {
    setTemporalLimit(connection, uid, limit)
  }

  /// How many temporal layers are received at most on the default connection of users for whom nothing else has been said,
  /// present and future. 4 to begin with, which is all there can be.
  ///
  /// - Returns: 0; -2 (limit out of range), -8 (not in a channel), -7.
  @discardableResult
  public func setRemoteDefaultVideoTemporalLayerLimit(_ limit: Int) -> Int {
    changeConnection(nil) { connection in
      guard (1...VideoTemporalLayers.most).contains(limit) else { return .invalidArgument }
      connection.temporalLayerLimit = limit
      return .ok
    }
  }

  private func setTemporalLimit(_ connection: RTCConnection?, _ uid: UInt, _ limit: Int) -> Int {
    changeConnection(connection) { connection in
      guard (1...VideoTemporalLayers.most).contains(limit) else { return .invalidArgument }
      guard ControlProtocol.isValidUID(uid) else { return .invalidUserID }
      connection.exceptions[uid, default: ConnectionIntent.SubscriptionException()].temporalLayerLimit = limit
      return .ok
    }
  }

  private func setStreamType(_ connection: RTCConnection?, _ uid: UInt, _ type: VideoStreamType) -> Int {
    changeConnection(connection) { connection in
      guard ControlProtocol.isValidUID(uid) else { return .invalidUserID }
      connection.exceptions[uid, default: ConnectionIntent.SubscriptionException()].streamType = type
      return .ok
    }
  }

  /// How loud one user of the default connection is played, 0 (silent) to 100 (as sent). Remembered for users who are not
  /// there yet.
  ///
  /// - Returns: 0; -2 (volume out of range), -121 (uid), -8 (not in a channel), -7.
  @discardableResult
  public func adjustUserPlaybackSignalVolume(uid: UInt, volume: Int) -> Int { adjustVolume(nil, uid, volume) }

  /// How loud one user of one connection is played, 0 (silent) to 100 (as sent). Remembered for users who are not there yet.
  ///
  /// - Returns: 0; -2 (volume out of range), -121 (uid), -8 (no such connection), -7.
  @discardableResult
  public func adjustUserPlaybackSignalVolumeEx(uid: UInt, volume: Int, connection: RTCConnection) -> Int {
    adjustVolume(connection, uid, volume)
  }

  private typealias Track = WritableKeyPath<ConnectionIntent.SubscriptionException, Bool?>

  private func muteRemote(_ connection: RTCConnection?, _ uid: UInt, _ track: Track, _ mute: Bool) -> Int {
    changeConnection(connection) { connection in
      guard ControlProtocol.isValidUID(uid) else { return .invalidUserID }
      connection.exceptions[uid, default: ConnectionIntent.SubscriptionException()][keyPath: track] = !mute
      return .ok
    }
  }

  private func muteAllRemote(_ connection: RTCConnection?, _ track: Track, _ mute: Bool) -> Int {
    changeConnection(connection) { connection in
      connection.muteEverybody(track, mute: mute)
      return .ok
    }
  }

  private func adjustVolume(_ connection: RTCConnection?, _ uid: UInt, _ volume: Int) -> Int {
    runtime.change { intent, parts in
      guard let index = connection.map({ intent.index(of: $0) }) ?? intent.defaultIndex else { return .invalidState }
      guard (0...100).contains(volume) else { return .invalidArgument }
      guard ControlProtocol.isValidUID(uid) else { return .invalidUserID }
      let id = StreamID(connectionID: intent.connections[index].handle.id, uid: uid)
      parts.audioReceive.setVolume(volume, stream: id)
      return .ok
    }
  }
}
