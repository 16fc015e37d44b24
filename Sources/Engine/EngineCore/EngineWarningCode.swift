/// What `didOccurWarning` tells: something is not as it should be, and the engine goes on by itself. The raw values are those
/// of the SDKs. Some are never told here, since nothing of this engine can bring them about or states and reasons say it
/// better; they are for applications that know the numbers.
public enum EngineWarningCode: Int, Sendable, CaseIterable {
  /// Never told: `setupLocalVideo` and its kin return an error.
  case invalidView = 8
  /// Never told: `localVideoStateChanged` says why the camera does not work.
  case initVideo = 16
  /// Never told: what cannot be done yet is done later.
  case pending = 20
  /// Never told: the server says why a channel cannot be joined, and that is an error.
  case noAvailableChannel = 103
  /// The server has not been reached in time; it is tried again.
  case lookupChannelTimeout = 104
  /// Never told: a server that is there takes every connection.
  case lookupChannelRejected = 105
  /// The server has been reached, and has not let the user in in time, or no media path to it has opened; it is tried again.
  case openChannelTimeout = 106
  /// The server does not let the user in as broadcaster; the engine joins as audience.
  case openChannelRejected = 107
  /// Never told: there is no live video to switch to.
  case switchLiveVideoTimeout = 111
  /// The server has not answered to a change of role for `ConnectionTiming.joinTimeout`; the engine goes on waiting.
  case setClientRoleTimeout = 118
  /// The server has not taken a new token for joining again; the engine joins with the one before.
  case openChannelInvalidTicket = 121
  /// The server goes out of service; the engine joins again, by another one where there are several.
  case openChannelTryNextServer = 122
  /// Nothing comes from the server any more, and the connection cannot go on as it was; it is made anew.
  case connectionUnrecoverable = 131
  /// This machine reaches the server from another address than before; the connection follows.
  case connectionIPChanged = 132
  /// Never told: the engine's own port is its system's choice.
  case connectionPortChanged = 133
  /// The connection to the server could not be opened, or has broken; it is tried again.
  case connectionSocketError = 134
  /// Never told: there is no audio mixing.
  case audioMixingOpenError = 701
  /// The speaker is away for now, and is taken again when it is back.
  case runtimePlayout = 1_014
  /// The microphone is away for now, and is taken again when it is back.
  case runtimeRecording = 1_016
  /// Nothing but digital silence has come from the microphone for 10 s: it may be switched off, or not plugged in.
  case recordAudioSilence = 1_019
  /// The speaker does not work; sound is decoded by the clock, and heard by nobody but observers.
  case playoutMalfunction = 1_020
  /// Never told: a microphone that does not work is an error.
  case recordMalfunction = 1_021
  /// The microphone has been very quiet for 20 s: below -60 dB of full scale at its loudest.
  case recordAudioLowLevel = 1_031
  /// Never told: how loud others speak is for the application to judge by their volumes.
  case playoutAudioLowLevel = 1_032
  /// Never told: howling is not looked for.
  case howling = 1_051
  /// Sound has been asked for by the speaker too late to be heard without a gap, several times within some seconds.
  case glitch = 1_052
  /// Never told: settings that do not fit are refused.
  case improperSettings = 1_053
}
