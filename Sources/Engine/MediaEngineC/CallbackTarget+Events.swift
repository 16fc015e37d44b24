import CMediaEngine
import MediaEngine

extension CallbackTarget {
  /// Tells the program of what has happened; what the header has no event for is left out.
  func report(_ event: RTCEvent) {
    switch event {
    case .joinedChannel(let connection, let uid, let elapsed):
      tell(MEDIA_ENGINE_EVENT_JOINED, connection, uid: uid, elapsed: elapsed)
    case .rejoinedChannel(let connection, let uid, let elapsed):
      tell(MEDIA_ENGINE_EVENT_REJOINED, connection, uid: uid, elapsed: elapsed)
    case .leftChannel(let connection, let totals):
      withStatistics(media_engine_statistics(totals)) { statistics in
        tell(MEDIA_ENGINE_EVENT_LEFT, connection) { $0.statistics = statistics }
      }
    case .userJoined(let connection, let uid, let elapsed):
      tell(MEDIA_ENGINE_EVENT_USER_JOINED, connection, uid: uid, elapsed: elapsed)
    case .userOffline(let connection, let uid, let reason):
      tell(MEDIA_ENGINE_EVENT_USER_OFFLINE, connection, uid: uid, reason: reason.rawValue)
    case .connectionChanged(let connection, let state, let reason):
      tell(
        MEDIA_ENGINE_EVENT_CONNECTION_CHANGED, connection, state: state.rawValue, reason: reason.rawValue)
    case .connectionInterrupted(let connection): tell(MEDIA_ENGINE_EVENT_INTERRUPTED, connection)
    case .connectionLost(let connection): tell(MEDIA_ENGINE_EVENT_LOST, connection)
    case .error(let connection, let code, let message):
      tell(MEDIA_ENGINE_EVENT_ERROR, connection, state: code.rawValue, text: message)
    case .warning(let connection, let code, let message):
      tell(MEDIA_ENGINE_EVENT_WARNING, connection, state: code.rawValue, text: message)
    case .permissionError(let type): tell(MEDIA_ENGINE_EVENT_PERMISSION_ERROR, nil, state: type.rawValue)
    case .roleChanged(let connection, let old, let new, _):
      tell(MEDIA_ENGINE_EVENT_ROLE_CHANGED, connection, state: new.rawValue) { $0.old_state = Int32(old.rawValue) }
    case .roleChangeFailed(let connection, let reason, let current):
      tell(
        MEDIA_ENGINE_EVENT_ROLE_REFUSED, connection, state: current.rawValue, reason: reason.rawValue)
    case .tokenWillExpire(let connection, let token):
      tell(MEDIA_ENGINE_EVENT_TOKEN_WILL_EXPIRE, connection, text: token)
    case .tokenRequested(let connection): tell(MEDIA_ENGINE_EVENT_TOKEN_REQUESTED, connection)
    case .tokenRenewed(let connection, let token, let result):
      tell(MEDIA_ENGINE_EVENT_TOKEN_RENEWED, connection, state: result.rawValue, text: token)
    default: reportMedia(event)
    }
  }

  private func reportMedia(_ event: RTCEvent) {
    switch event {
    case .remoteVideoState(let connection, let uid, let state, let reason, let elapsed):
      tell(
        MEDIA_ENGINE_EVENT_REMOTE_VIDEO_STATE, connection, uid: uid, state: state.rawValue,
        reason: reason.rawValue, elapsed: elapsed)
    case .remoteAudioState(let connection, let uid, let state, let reason, let elapsed):
      tell(
        MEDIA_ENGINE_EVENT_REMOTE_AUDIO_STATE, connection, uid: uid, state: state.rawValue,
        reason: reason.rawValue, elapsed: elapsed)
    case .firstLocalVideoFrame(let width, let height, let elapsed):
      tell(MEDIA_ENGINE_EVENT_FIRST_LOCAL_VIDEO, nil, elapsed: elapsed, size: (width, height))
    case .firstLocalVideoFramePublished(let connection, let elapsed):
      tell(MEDIA_ENGINE_EVENT_VIDEO_PUBLISHED, connection, elapsed: elapsed)
    case .firstLocalAudioFramePublished(let connection, let elapsed):
      tell(MEDIA_ENGINE_EVENT_AUDIO_PUBLISHED, connection, elapsed: elapsed)
    case .firstRemoteVideoDecoded(let connection, let uid, let width, let height, let elapsed):
      tell(
        MEDIA_ENGINE_EVENT_FIRST_REMOTE_VIDEO, connection, uid: uid, elapsed: elapsed, size: (width, height))
    case .firstRemoteAudioDecoded(let connection, let uid, let elapsed):
      tell(MEDIA_ENGINE_EVENT_FIRST_REMOTE_AUDIO, connection, uid: uid, elapsed: elapsed)
    case .videoSizeChanged(let connection, let uid, let width, let height, let rotation):
      tell(MEDIA_ENGINE_EVENT_VIDEO_SIZE, connection, uid: uid, size: (width, height)) {
        $0.rotation = Int32(truncatingIfNeeded: rotation)
      }
    case .localVideoState(let state, let reason):
      tell(MEDIA_ENGINE_EVENT_LOCAL_VIDEO_STATE, nil, state: state.rawValue, reason: reason.rawValue)
    case .localAudioState(let state, let reason):
      tell(MEDIA_ENGINE_EVENT_LOCAL_AUDIO_STATE, nil, state: state.rawValue, reason: reason.rawValue)
    case .userState(let connection, let uid, let state):
      tell(MEDIA_ENGINE_EVENT_USER_STATE, connection, uid: uid, state: state.rawValue)
    case .snapshotTaken(let connection, let uid, let path, let width, let height, let error):
      tell(
        MEDIA_ENGINE_EVENT_SNAPSHOT, connection, uid: uid, state: error, text: path, size: (width, height))
    default: reportData(event)
    }
  }

  private func reportData(_ event: RTCEvent) {
    switch event {
    case .streamMessage(let connection, let uid, let streamID, let data):
      data.withUnsafeBufferPointer { bytes in
        tell(MEDIA_ENGINE_EVENT_STREAM_MESSAGE, connection, uid: uid) {
          $0.stream_id = Int32(truncatingIfNeeded: streamID)
          $0.data = bytes.baseAddress
          $0.data_size = bytes.count
        }
      }
    case .streamMessageError(let connection, let uid, let streamID, let error, let missed, _):
      tell(
        MEDIA_ENGINE_EVENT_STREAM_MESSAGES_LOST, connection, uid: uid, state: error.rawValue, reason: missed
      ) { $0.stream_id = Int32(truncatingIfNeeded: streamID) }
    case .statistics(let connection, let report):
      withStatistics(media_engine_statistics(report)) { statistics in
        tell(MEDIA_ENGINE_EVENT_STATISTICS, connection) { $0.statistics = statistics }
      }
    case .volumeIndication(let connection, let speakers, let total):
      let list = speakers.map {
        media_engine_speaker(
          uid: UInt32(truncatingIfNeeded: $0.uid), volume: Int32(truncatingIfNeeded: $0.volume),
          speaks: Int32(truncatingIfNeeded: $0.vad))
      }
      list.withUnsafeBufferPointer { list in
        tell(MEDIA_ENGINE_EVENT_VOLUMES, connection, state: total) {
          $0.speakers = list.baseAddress
          $0.speaker_count = list.count
        }
      }
    case .activeSpeaker(let connection, let uid):
      tell(MEDIA_ENGINE_EVENT_ACTIVE_SPEAKER, connection, uid: uid)
    case .networkQuality(let connection, let uid, let tx, let rx):
      tell(MEDIA_ENGINE_EVENT_NETWORK_QUALITY, connection, uid: uid, state: tx.rawValue, reason: rx.rawValue)
    case .networkType(let type): tell(MEDIA_ENGINE_EVENT_NETWORK_TYPE, nil, state: type.rawValue)
    case .encryptionError(let connection, let uid, let type):
      tell(MEDIA_ENGINE_EVENT_ENCRYPTION_ERROR, connection, uid: uid, state: type.rawValue)
    default: break
    }
  }

  private func withStatistics(
    _ statistics: media_engine_statistics, _ body: (UnsafePointer<media_engine_statistics>) -> Void
  ) {
    withUnsafePointer(to: statistics, body)
  }

  private func tell(
    _ type: media_engine_event_type, _ connection: RTCConnection?, uid: UInt = 0, state: Int = 0, reason: Int = 0,
    elapsed: Int = 0, text: String? = nil, size: (width: Int, height: Int) = (0, 0),
    _ fill: (inout media_engine_event) -> Void = { _ in }
  ) {
    var event = media_engine_event.make()
    event.type = Int32(type.rawValue)
    event.local_uid = UInt32(truncatingIfNeeded: connection?.localUID ?? 0)
    event.uid = UInt32(truncatingIfNeeded: uid)
    event.state = Int32(truncatingIfNeeded: state)
    event.reason = Int32(truncatingIfNeeded: reason)
    event.elapsed_ms = Int32(truncatingIfNeeded: elapsed)
    event.width = Int32(truncatingIfNeeded: size.width)
    event.height = Int32(truncatingIfNeeded: size.height)
    fill(&event)
    withOptionalCString(connection?.channelID) { channel in
      withOptionalCString(text) { text in
        event.channel = channel
        event.text = text
        tell(event)
      }
    }
  }
}

private func withOptionalCString(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
  guard let string else { return body(nil) }
  string.withCString(body)
}
