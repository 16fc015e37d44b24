import ControlWire
import EngineCore

/// What an engine reports, as a value: each case is one method of the delegate protocols, where it is described.
public enum RTCEvent: Sendable {
  /// In the channel; also when the join call was given a closure.
  case joinedChannel(RTCConnection, uid: UInt, elapsed: Int)
  /// In the channel again after an interruption.
  case rejoinedChannel(RTCConnection, uid: UInt, elapsed: Int)
  /// The channel has been left on request.
  case leftChannel(RTCConnection, RTCStatistics)
  /// A remote user is there.
  case userJoined(RTCConnection, uid: UInt, elapsed: Int)
  /// A remote user is gone.
  case userOffline(RTCConnection, uid: UInt, reason: UserOfflineReason)
  /// The connection's state has changed.
  case connectionChanged(RTCConnection, ConnectionState, reason: ConnectionChangedReason)
  /// The connection has been interrupted for `ConnectionTiming.interrupted`.
  case connectionInterrupted(RTCConnection)
  /// The connection has been interrupted for `ConnectionTiming.lost` more.
  case connectionLost(RTCConnection)
  /// Something went wrong.
  case error(RTCConnection?, EngineErrorCode, message: String)
  /// Something is not as it should be, and the engine goes on by itself.
  case warning(RTCConnection?, EngineWarningCode, message: String)
  /// The system does not allow this process to use a device.
  case permissionError(PermissionType)
  /// A remote user's video has changed its state.
  case remoteVideoState(
    RTCConnection, uid: UInt, RemoteVideoState, reason: RemoteVideoStateReason, elapsed: Int)
  /// A remote user's audio has changed its state.
  case remoteAudioState(
    RTCConnection, uid: UInt, RemoteAudioState, reason: RemoteAudioStateReason, elapsed: Int)
  /// The first picture since capture began.
  case firstLocalVideoFrame(width: Int, height: Int, elapsed: Int)
  /// The first picture since publishing began has been sent.
  case firstLocalVideoFramePublished(RTCConnection, elapsed: Int)
  /// The first sound since publishing began has been sent.
  case firstLocalAudioFramePublished(RTCConnection, elapsed: Int)
  /// A user's first picture has been decoded.
  case firstRemoteVideoDecoded(RTCConnection, uid: UInt, width: Int, height: Int, elapsed: Int)
  /// A user's first picture is on a canvas.
  case firstRemoteVideoFrame(RTCConnection, uid: UInt, width: Int, height: Int, elapsed: Int)
  /// A user's first sound has come.
  case firstRemoteAudioFrame(RTCConnection, uid: UInt, elapsed: Int)
  /// A user's first sound has been decoded.
  case firstRemoteAudioDecoded(RTCConnection, uid: UInt, elapsed: Int)
  /// Pictures have another size than before; uid 0 is the local camera.
  case videoSizeChanged(RTCConnection?, uid: UInt, width: Int, height: Int, rotation: Int)
  /// The local video has changed its state.
  case localVideoState(LocalVideoState, reason: LocalVideoStateReason)
  /// The local audio has changed its state.
  case localAudioState(LocalAudioState, reason: LocalAudioStateReason)
  /// Somebody needs a key frame of the encoded pictures that the application gives to a track.
  case intraRequestReceived(RTCConnection, trackID: Int)
  /// The local user's role has changed.
  case roleChanged(RTCConnection, from: ClientRole, to: ClientRole, options: ClientRoleOptions)
  /// The local user's role could not be changed.
  case roleChangeFailed(RTCConnection, ClientRoleChangeFailedReason, current: ClientRole)
  /// The publishing of the local video has got further, or is over.
  case videoPublishState(RTCConnection, from: StreamPublishState, to: StreamPublishState, elapsed: Int)
  /// The publishing of the local audio has got further, or is over.
  case audioPublishState(RTCConnection, from: StreamPublishState, to: StreamPublishState, elapsed: Int)
  /// The reception of a user's video has got further, or is over.
  case videoSubscribeState(
    RTCConnection, uid: UInt, from: StreamSubscribeState, to: StreamSubscribeState, elapsed: Int)
  /// The reception of a user's audio has got further, or is over.
  case audioSubscribeState(
    RTCConnection, uid: UInt, from: StreamSubscribeState, to: StreamSubscribeState, elapsed: Int)
  /// Of a user only sound is received for the network's sake, or pictures again.
  case subscribeFallback(RTCConnection, uid: UInt, Bool)
  /// A user has muted or unmuted the microphone.
  case audioMuted(RTCConnection, uid: UInt, Bool)
  /// A user has muted or unmuted the camera.
  case videoMuted(RTCConnection, uid: UInt, Bool)
  /// A user has turned the video module on or off.
  case videoEnabled(RTCConnection, uid: UInt, Bool)
  /// A user has turned the camera on or off.
  case localVideoEnabled(RTCConnection, uid: UInt, Bool)
  /// A user's mutes and switches together.
  case userState(RTCConnection, uid: UInt, UserMediaState)
  /// A message on a user's data stream.
  case streamMessage(RTCConnection, uid: UInt, streamID: Int, data: [UInt8])
  /// Messages of a user's data stream have been lost.
  case streamMessageError(
    RTCConnection, uid: UInt, streamID: Int, error: EngineErrorCode, missed: Int, cached: Int)
  /// Something of a user cannot be decrypted; with the uid 0, something of this side cannot be encrypted.
  case encryptionError(RTCConnection, uid: UInt, EncryptionErrorType)
  /// The connection as a whole.
  case statistics(RTCConnection, RTCConnectionReport)
  /// The local video on a connection.
  case localVideoStatistics(RTCConnection, LocalVideoReport)
  /// The local audio on a connection.
  case localAudioStatistics(RTCConnection, LocalAudioReport)
  /// A remote user's video.
  case remoteVideoStatistics(RTCConnection, RemoteVideoReport)
  /// A remote user's audio.
  case remoteAudioStatistics(RTCConnection, RemoteAudioReport)
  /// Who is how loud.
  case volumeIndication(RTCConnection, [AudioVolumeInfo], totalVolume: Int)
  /// Another remote user is the loudest now.
  case activeSpeaker(RTCConnection, uid: UInt)
  /// How good the ways of a user are; uid 0 is the local user.
  case networkQuality(RTCConnection, uid: UInt, tx: NetworkQuality, rx: NetworkQuality)
  /// What the way from here to the server carries.
  case uplinkNetworkInfo(RTCConnection, UplinkNetworkInfo)
  /// What the way from the server to here carries.
  case downlinkNetworkInfo(RTCConnection, DownlinkNetworkInfo)
  /// This machine is connected by something else than before.
  case networkType(NetworkType)
  /// The end of `takeSnapshot`.
  case snapshotTaken(RTCConnection, uid: UInt, path: String, width: Int, height: Int, error: Int)
  /// How long the way to a user's first picture took.
  case renderingTrace(RTCConnection, uid: UInt, MediaTraceEvent, VideoRenderingTracingInfo)
  /// The token runs out in 30 s.
  case tokenWillExpire(RTCConnection, token: String)
  /// The token has run out, and with it the connection.
  case tokenRequested(RTCConnection)
  /// The server has answered to a new token.
  case tokenRenewed(RTCConnection, token: String, RenewTokenResult)
}
