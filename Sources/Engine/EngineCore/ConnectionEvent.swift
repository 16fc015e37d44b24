import ControlWire
import MediaBase
import RTPSession

/// What a connection reports, in the order in which it happened. Elapsed times count from the connection's making.
public enum ConnectionEvent: Sendable {
  /// The connection's state or its reason has changed.
  case stateChanged(ConnectionState, ConnectionChangedReason)
  /// In the channel for the first time.
  case joined(uid: UInt, elapsed: MediaDuration)
  /// In the channel again after an interruption.
  case rejoined(uid: UInt, elapsed: MediaDuration)
  /// A remote user can be seen.
  case userJoined(uid: UInt, elapsed: MediaDuration)
  /// A remote user can no longer be seen.
  case userOffline(uid: UInt, reason: UserOfflineReason)
  /// A remote user's video has changed its state.
  case remoteVideoState(uid: UInt, RemoteVideoState, RemoteVideoStateReason, elapsed: MediaDuration)
  /// A remote user's audio has changed its state.
  case remoteAudioState(uid: UInt, RemoteAudioState, RemoteAudioStateReason, elapsed: MediaDuration)
  /// The server sends only sound of a user, since the network carries no picture; or pictures again.
  case videoPaused(uid: UInt, Bool)
  /// Somebody wants the small stream of the camera.
  case lowVideoRequested
  /// The next decodable picture of a remote user.
  case videoFrame(uid: UInt, EncodedVideoFrame)
  /// The next packet of sound of a remote user, as it came: for a jitter buffer.
  case audioPacket(uid: UInt, ReceivedAudioPacket)
  /// The first picture of a remote user, or the first after a long pause, is the one just reported.
  case firstRemoteVideoFrame(uid: UInt, elapsed: MediaDuration)
  /// The first sound of a remote user, or the first after a long pause, has come.
  case firstRemoteAudioPacket(uid: UInt, elapsed: MediaDuration)
  /// Whoever encodes must make the next picture a key frame: it is asked for by a receiver, or publishing begins.
  case keyFrameNeeded
  /// The same of the smaller stream.
  case lowKeyFrameNeeded
  /// The first picture since publishing began has been sent.
  case firstVideoPublished(elapsed: MediaDuration)
  /// The first sound since publishing began has been sent.
  case firstAudioPublished(elapsed: MediaDuration)
  /// The local user's role has changed.
  case roleChanged(from: ClientRole, to: ClientRole)
  /// The token ends soon: it has to be renewed for the connection to stay.
  case tokenWillExpire(token: String)
  /// The token has ended, and with it the connection: a new one is needed to join again.
  case tokenRequested
  /// The server has answered to a new token; `current` is used from now on.
  case tokenRenewed(token: String, RenewTokenResult, current: String)
  /// Whether the token allows messages on data streams has changed; it does to begin with.
  case maySendData(Bool)
  /// The server has not granted the role that was asked for; `current` stays.
  case roleChangeFailed(ClientRoleChangeFailedReason, current: ClientRole)
  /// The publishing of a track has got further, or is over; `elapsed` is how long the old state lasted.
  case publishState(MediaKind, from: StreamPublishState, to: StreamPublishState, elapsed: MediaDuration)
  /// The reception of a user's track has got further, or is over; `elapsed` is how long the old state lasted.
  case subscribeState(
    uid: UInt, MediaKind, from: StreamSubscribeState, to: StreamSubscribeState, elapsed: MediaDuration)
  /// A remote user has muted, unmuted, enabled or disabled something.
  case userMediaState(uid: UInt, from: UserMediaState, to: UserMediaState)
  /// A message on a remote user's data stream.
  case streamMessage(uid: UInt, streamID: Int, [UInt8])
  /// Messages on a remote user's data stream have been lost, before the one that is reported next.
  case streamMessageError(uid: UInt, streamID: Int, missed: Int)
  /// Something of a remote user cannot be decrypted, or, with the uid 0, something of this side not encrypted. What is
  /// concerned has been dropped.
  case encryptionError(uid: UInt, EncryptionErrorType)
  /// Another `ConnectionTiming.statisticsInterval` is over: take `currentStatistics(now:)`.
  case statisticsDue
  /// Something went wrong; `message` is a sentence for people. The state says whether the connection goes on.
  case error(EngineErrorCode, message: String)
  /// Something is not as it should be, and the connection goes on by itself; `message` is a sentence for people.
  case warning(EngineWarningCode, message: String)
  /// The connection has been left and needs nothing any more.
  case left(ConnectionStatistics)
}
