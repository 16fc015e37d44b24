import ControlWire
import EngineCore

/// What an engine reports. Every method has an empty default. All are called on the engine's delegate queue, one after the
/// other; calling the engine from them is safe, `destroy()` included. `elapsed` is in milliseconds since the connection's
/// join call. What is reported again and again is in `RTCEngineReportDelegate`, single streams are in
/// `RTCEngineStreamDelegate`; a delegate conforms to all three at once.
public protocol RTCEngineDelegate: RTCEngineStreamDelegate, RTCEngineReportDelegate {
  /// In the channel. Not called if the join call was given a `joinSuccess` closure.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int)
  /// In the channel again after an interruption.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didRejoinChannel uid: UInt, elapsed: Int)
  /// The channel has been left on request.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didLeaveChannel statistics: RTCStatistics)
  /// A remote user is there (in a live channel: a broadcaster).
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int)
  /// A remote user is gone (in a live channel: or has become audience).
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason)
  /// The connection's state has changed.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, connectionChanged state: ConnectionState,
    reason: ConnectionChangedReason)
  /// Something went wrong; `message` is a sentence for people. `connection` is `nil` for devices.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String)
  /// Something is not as it should be, and the engine goes on by itself; `message` is a sentence for people. `connection` is
  /// `nil` for devices.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, didOccurWarning code: EngineWarningCode, message: String)
  /// The system does not allow this process to open the microphone or the camera (EACCES, EPERM). Follows the change of
  /// state of the local audio or video.
  func rtcEngine(_ engine: RTCEngine, permissionError type: PermissionType)
  /// A remote user's video has changed its state.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteVideoStateChangedOfUID uid: UInt, state: RemoteVideoState,
    reason: RemoteVideoStateReason, elapsed: Int)
  /// A remote user's audio has changed its state.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteAudioStateChangedOfUID uid: UInt, state: RemoteAudioState,
    reason: RemoteAudioStateReason, elapsed: Int)
  /// The first picture since capture began. `elapsed` counts from the call that began it.
  func rtcEngine(_ engine: RTCEngine, firstLocalVideoFrame width: Int, height: Int, elapsed: Int)
  /// The first picture since publishing began on this connection has been sent: after joining and after every unmute.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalVideoFramePublished elapsed: Int)
  /// The first sound since publishing began on this connection has been sent: after joining and after every unmute.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalAudioFramePublished elapsed: Int)
  /// The first picture of a remote user, or the first after 15 s without or on a new canvas, has been given to a canvas.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoFrameOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int)
  /// The first sound of a remote user, or the first after 15 s without, has come.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstRemoteAudioFrameOfUID uid: UInt, elapsed: Int)
  /// The token, or one of its rights, runs out in 30 s or less: renew it. Comes once for each end.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, tokenPrivilegeWillExpire token: String)
  /// The token has run out, and the connection has failed: join again with a new one.
  func rtcEngineRequestToken(_ engine: RTCEngine, connection: RTCConnection)
  /// What the server says to a token that was renewed, in the channel or on the way there; without success the old one
  /// stays.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, renewTokenResult result: RenewTokenResult, token: String)
  /// The local video has changed its state.
  func rtcEngine(_ engine: RTCEngine, localVideoStateChanged state: LocalVideoState, reason: LocalVideoStateReason)
  /// The local audio has changed its state.
  func rtcEngine(_ engine: RTCEngine, localAudioStateChanged state: LocalAudioState, reason: LocalAudioStateReason)
  /// The local user's role in the channel has changed.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole)
  /// The same, called next, with what goes with the new role. Also called when an audience joins with its role set before
  /// by `setClientRole`.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole,
    newRoleOptions options: ClientRoleOptions)
  /// The local user's role could not be changed.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChangeFailed reason: ClientRoleChangeFailedReason,
    currentRole: ClientRole)
  /// Nothing has come from the server for 4 s; the engine keeps trying. Follows the change to `reconnecting`.
  func rtcEngineConnectionDidInterrupted(_ engine: RTCEngine, connection: RTCConnection)
  /// The connection has been interrupted for 10 s; the engine keeps trying.
  func rtcEngineConnectionDidLost(_ engine: RTCEngine, connection: RTCConnection)
}

extension RTCEngineDelegate {
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didRejoinChannel uid: UInt, elapsed: Int) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didLeaveChannel statistics: RTCStatistics) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, connectionChanged state: ConnectionState,
    reason: ConnectionChangedReason
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, didOccurWarning code: EngineWarningCode, message: String
  ) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, permissionError type: PermissionType) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteVideoStateChangedOfUID uid: UInt, state: RemoteVideoState,
    reason: RemoteVideoStateReason, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, remoteAudioStateChangedOfUID uid: UInt, state: RemoteAudioState,
    reason: RemoteAudioStateReason, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, firstLocalVideoFrame width: Int, height: Int, elapsed: Int) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalVideoFramePublished elapsed: Int) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstLocalAudioFramePublished elapsed: Int) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoFrameOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteAudioFrameOfUID uid: UInt, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, tokenPrivilegeWillExpire token: String) {}
  /// Does nothing.
  public func rtcEngineRequestToken(_ engine: RTCEngine, connection: RTCConnection) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, renewTokenResult result: RenewTokenResult, token: String
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, localVideoStateChanged state: LocalVideoState, reason: LocalVideoStateReason
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, localAudioStateChanged state: LocalAudioState, reason: LocalAudioStateReason
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChanged oldRole: ClientRole, newRole: ClientRole,
    newRoleOptions options: ClientRoleOptions
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didClientRoleChangeFailed reason: ClientRoleChangeFailedReason,
    currentRole: ClientRole
  ) {}
  /// Does nothing.
  public func rtcEngineConnectionDidInterrupted(_ engine: RTCEngine, connection: RTCConnection) {}
  /// Does nothing.
  public func rtcEngineConnectionDidLost(_ engine: RTCEngine, connection: RTCConnection) {}
}
