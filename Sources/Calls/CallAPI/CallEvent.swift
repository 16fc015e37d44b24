/// What happens in the course of a call.
public enum CallEvent: UInt, Sendable {
  /// Nothing.
  case none = 0
  /// `deinitialize` is done.
  case deinitialize = 1
  /// This side's time to wait is over.
  case callingTimeout = 3
  /// The other side's time to wait is over.
  case remoteCallingTimeout = 4
  /// The call's channel has been joined.
  case joinRTCSuccessed = 5
  /// A method was called in a state that does not allow it.
  case stateMismatch = 9
  /// The call's channel is being joined.
  case joinRTCStart = 10
  /// The call has been handed to the other side.
  case remoteUserRecvCall = 99
  /// Rejected here.
  case localRejected = 100
  /// Rejected by the other side.
  case remoteRejected = 101
  /// Accepted by the other side.
  case remoteAccepted = 103
  /// Accepted here.
  case localAccepted = 104
  /// Hung up here.
  case localHangup = 105
  /// Hung up by the other side.
  case remoteHangup = 106
  /// The other side is in the call's channel.
  case remoteJoined = 107
  /// The other side has left the call's channel.
  case remoteLeft = 108
  /// Cancelled here.
  case localCancelled = 109
  /// Cancelled by the other side.
  case remoteCancelled = 110
  /// This side is in the call's channel.
  case localJoined = 111
  /// This side has left the call's channel.
  case localLeft = 112
  /// The first picture or sound has come.
  case recvRemoteFirstFrame = 113
  /// The other side is in another call.
  case remoteCallBusy = 117
  /// The camera has given its first picture.
  case captureFirstLocalVideoFrame = 119
  /// The first picture has been sent.
  case publishFirstLocalVideoFrame = 120
  /// The first sound has been sent.
  case publishFirstLocalAudioFrame = 130
  /// A video call goes out.
  case localVideoCall = 140
  /// An audio call goes out.
  case localAudioCall = 141
  /// A video call comes in.
  case remoteVideoCall = 142
  /// An audio call comes in.
  case remoteAudioCall = 143
}
