import EngineCore
import LinuxIO
import MediaBase

extension NetworkContext {
  /// A user has come: places for what will be received.
  func openStream(_ uid: UInt, _ connection: ConnectionRuntime, _ parts: EngineRuntime.Parts) {
    connection.users.insert(uid)
    parts.videoReceive.post(.open(StreamID(connectionID: connection.handle.id, uid: uid), connection.handle))
  }

  func closeStream(
    _ uid: UInt, _ connection: ConnectionRuntime, _ parts: EngineRuntime.Parts, unbinds: Bool
  ) {
    connection.users.remove(uid)
    let id = StreamID(connectionID: connection.handle.id, uid: uid)
    parts.videoReceive.post(.close(id, unbinds: unbinds))
    parts.audioReceive.forget(id)
  }

  /// Sound is mixed as long as some comes: a user who is silent for good costs nothing.
  func audioStateChanged(
    _ uid: UInt, _ state: RemoteAudioState, _ connection: ConnectionRuntime, _ parts: EngineRuntime.Parts
  ) {
    let id = StreamID(connectionID: connection.handle.id, uid: uid)
    switch state {
    case .starting, .decoding: parts.audioReceive.open(id, handle: connection.handle)
    case .stopped, .frozen, .failed: parts.audioReceive.close(id)
    }
  }

  /// The connection has been left or has failed: nobody of it is received any more.
  func closeStreams(_ connection: ConnectionRuntime) {
    guard let parts = runtime?.parts.get() else { return }
    for uid in connection.users { closeStream(uid, connection, parts, unbinds: false) }
    parts.audioReceive.forgetConnection(connection.handle.id)
    runtime?.volumes.removeConnection(connection.handle.id)
  }

  func statistics(_ id: Int) -> RTCStatistics? { connections[id].map(statistics(of:)) }

  func statistics(of connection: ConnectionRuntime) -> RTCStatistics {
    let parts = runtime?.parts.get()
    var totals = RTCStatistics(connection.core.currentStatistics(now: MonotonicClock.now()))
    if let parts {
      totals.local = parts.videoSend.totals(of: connection.encoding)
      totals.local.sendsLowVideo = connection.lowEncoding != nil && connection.core.canSendLowVideo
      totals.local.audioDeviceMilliseconds = parts.audioSend.deviceDelay.map { $0.seconds * 1_000 }
      totals.local.encodedAudioFrames = parts.audioSend.encodedFrames
      totals.local.audioChannelCount = parts.audioSend.channelCount
    }
    let playoutDelay = runtime?.configuration.playout?.delay ?? .zero
    totals.local.audioPlayoutMilliseconds = playoutDelay.seconds * 1_000
    for index in totals.remote.indices {
      let id = StreamID(connectionID: connection.handle.id, uid: totals.remote[index].uid)
      totals.remote[index].add(
        video: parts?.videoReceive.totals(of: id), audio: parts?.audioReceive.totals(of: id),
        playoutDelay: playoutDelay)
    }
    return totals
  }
}
