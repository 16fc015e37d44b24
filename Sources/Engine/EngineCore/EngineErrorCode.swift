/// Error codes of the engine. API calls return `-rawValue`; `didOccurError` reports the code itself. The raw values are
/// those of the SDKs.
public enum EngineErrorCode: Int, Error, Sendable, CaseIterable {
  /// No error.
  case ok = 0
  /// Failed for no stated reason.
  case failed = 1
  /// An argument is out of range.
  case invalidArgument = 2
  /// The engine could not be set up.
  case notReady = 3
  /// Not supported here.
  case notSupported = 4
  /// Refused in the present state.
  case refused = 5
  /// What was to be written does not fit.
  case bufferTooSmall = 6
  /// The engine is not initialised, or has been destroyed.
  case notInitialized = 7
  /// Not possible in the present state.
  case invalidState = 8
  /// The system does not allow it.
  case noPermission = 9
  /// Took too long.
  case timedOut = 10
  /// Cancelled.
  case canceled = 11
  /// Called too often.
  case tooOften = 12
  /// A socket could not be made or bound.
  case bindSocket = 13
  /// The network or the server cannot be reached.
  case netDown = 14
  /// Already in the channel.
  case joinRejected = 17
  /// Not in a channel.
  case leaveRejected = 18
  /// The resource is in use.
  case alreadyInUse = 19
  /// Aborted.
  case aborted = 20
  /// The network part could not be started.
  case initNetEngine = 21
  /// The server's or system's resources are used up.
  case resourceLimited = 22
  /// The application id is not valid.
  case invalidAppID = 101
  /// The channel's name is not allowed.
  case invalidChannelName = 102
  /// The server has no resources for the channel.
  case noServerResources = 103
  /// The token has run out.
  case tokenExpired = 109
  /// The token is not valid for this user and channel.
  case invalidToken = 110
  /// The connection has been interrupted; the engine reconnects.
  case connectionInterrupted = 111
  /// The connection has been lost; the engine keeps trying.
  case connectionLost = 112
  /// Not in the channel.
  case notInChannel = 113
  /// The message is too large.
  case sizeTooLarge = 114
  /// Too much data a second.
  case bitrateLimit = 115
  /// Too many data streams.
  case tooManyDataStreams = 116
  /// Messages of a data stream have not come.
  case streamMessageTimeout = 117
  /// The server does not allow this role.
  case setClientRoleNotAuthorized = 119
  /// Decryption failed.
  case decryptionFailed = 120
  /// The user's number is not allowed.
  case invalidUserID = 121
  /// A data stream's message could not be decrypted.
  case dataStreamDecryptionFailed = 122
  /// The server has banned this user.
  case clientIsBannedByServer = 123
  /// The channel takes no encrypted streams.
  case encryptedStreamNotAllowed = 130
  /// The licence is not valid.
  case licenseInvalid = 131
  /// The user's name is not valid.
  case invalidUserAccount = 134
  /// A module or device library is missing.
  case moduleNotFound = 157
  /// The media part could not be started.
  case loadMediaEngine = 1_001
  /// The audio device failed.
  case audioDeviceGeneral = 1_005
  /// The speaker could not be opened.
  case initPlayout = 1_008
  /// The speaker could not be started.
  case startPlayout = 1_009
  /// The speaker could not be stopped.
  case stopPlayout = 1_010
  /// The microphone could not be opened.
  case initRecording = 1_011
  /// The microphone could not be started.
  case startRecording = 1_012
  /// The microphone could not be stopped.
  case stopRecording = 1_013
  /// The camera could not be started.
  case startCamera = 1_003
  /// The camera may not be used.
  case cameraNotAuthorized = 1_501
}
