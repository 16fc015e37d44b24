/// Why a connection's state has changed. The raw values are those of the SDKs.
public enum ConnectionChangedReason: Int, Sendable, CaseIterable {
  /// Joining has begun.
  case connecting = 0
  /// The server has let the user in.
  case joinSuccess = 1
  /// The network or the server has gone away.
  case interrupted = 2
  /// The server has banned the user.
  case bannedByServer = 3
  /// Joining failed for longer than `ConnectionTiming.giveUp`.
  case joinFailed = 4
  /// The user has left.
  case leaveChannel = 5
  /// The application id is unknown to the server.
  case invalidAppID = 6
  /// The channel's name is not allowed.
  case invalidChannelName = 7
  /// The token is not valid for this user and channel.
  case invalidToken = 8
  /// The token has run out.
  case tokenExpired = 9
  /// The server refuses for another reason, which `didOccurError` tells.
  case rejectedByServer = 10
  /// A proxy is being set.
  case settingProxy = 11
  /// The token is being renewed.
  case renewToken = 12
  /// The client's address has changed.
  case clientIPChanged = 13
  /// The server has not answered keep-alives.
  case keepAliveTimeout = 14
  /// Back in the channel after an interruption.
  case rejoinSuccess = 15
  /// Interrupted for a long time; the engine keeps trying.
  case lost = 16
  /// An echo test is running.
  case echoTest = 17
  /// The user has changed the client's address.
  case clientIPChangedByUser = 18
  /// The same uid has joined this channel elsewhere; the newer connection stays.
  case sameUIDLogin = 19
  /// The channel has too many broadcasters.
  case tooManyBroadcasters = 20
  /// The licence was not accepted.
  case licenseValidation = 21
  /// The server's certificate was not accepted.
  case certificateVerification = 22
  /// The stream channel does not exist.
  case streamChannelNotAvailable = 23
  /// The application id differs from the one used before.
  case inconsistentAppID = 24
}
