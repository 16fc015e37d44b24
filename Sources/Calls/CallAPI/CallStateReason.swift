/// Why a call has the state it has.
public enum CallStateReason: UInt, Sendable {
  /// No particular reason.
  case none = 0
  /// The channel could not be joined.
  case joinRTCFailed = 1
  /// A message could not be sent.
  case messageFailed = 4
  /// Rejected here.
  case localRejected = 5
  /// Rejected by the other side.
  case remoteRejected = 6
  /// Accepted by the other side.
  case remoteAccepted = 7
  /// Accepted here.
  case localAccepted = 8
  /// Hung up here.
  case localHangup = 9
  /// Hung up by the other side.
  case remoteHangup = 10
  /// Cancelled here.
  case localCancelled = 11
  /// Cancelled by the other side.
  case remoteCancelled = 12
  /// The first picture or sound has come.
  case recvRemoteFirstFrame = 13
  /// This side's time to wait is over.
  case callingTimeout = 14
  /// The caller has called again.
  case cancelByCallerRecall = 15
  /// The other side is in another call.
  case remoteCallBusy = 17
  /// The other side's time to wait is over.
  case remoteCallingTimeout = 18
  /// A video call goes out.
  case localVideoCall = 30
  /// An audio call goes out.
  case localAudioCall = 31
  /// A video call comes in.
  case remoteVideoCall = 32
  /// An audio call comes in.
  case remoteAudioCall = 33
}
