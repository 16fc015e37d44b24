/// What a token is good for; a token may hold one of each.
public enum AccessTokenService: Hashable, Sendable {
  /// Channels with sound and video.
  case rtc(RTCTokenService)
  /// Signalling.
  case signaling(SignalingTokenService)

  /// The number on the wire.
  var type: UInt16 {
    switch self {
    case .rtc: 1
    case .signaling: 2
    }
  }
}

/// The right to use channels.
public struct RTCTokenService: Hashable, Sendable {
  /// Seconds from the token's issue until each right ends; 0 for as long as the token itself.
  public var privileges: [TokenPrivilege: UInt32]
  /// Which channel. `*` stands for any characters; empty for all channels. With either the user has to be named.
  public var channel: String
  /// Whose token it is, in decimal digits; empty, `0` or `*` for everybody, if the channel is named in full.
  public var userID: String

  /// Makes a service.
  public init(privileges: [TokenPrivilege: UInt32], channel: String, userID: String) {
    self.privileges = privileges
    self.channel = channel
    self.userID = userID
  }

  /// For `uid` (0 for everybody) in `channel`: with all rights, or with that to join only.
  public init(channel: String, uid: UInt, publishes: Bool) {
    let privileges: [TokenPrivilege] = publishes ? TokenPrivilege.allCases : [.joinChannel]
    self.init(
      privileges: Dictionary(uniqueKeysWithValues: privileges.map { ($0, 0) }), channel: channel,
      userID: uid == 0 ? "" : String(uid))
  }

  /// Whether neither channel nor user is fixed: such a token would open every conversation to whoever finds it.
  var isForEverybodyEverywhere: Bool { Self.isEverybody(userID) && (channel.isEmpty || channel.contains("*")) }

  static func isEverybody(_ userID: String) -> Bool { ["", "0", "*"].contains(userID) }
}

/// The right to log in to signalling.
public struct SignalingTokenService: Hashable, Sendable {
  /// Seconds from the token's issue until the right to log in ends, 0 for as long as the token itself; nil if the token
  /// does not give it.
  public var login: UInt32?
  /// Whose token it is.
  public var userID: String

  /// Makes a service.
  public init(login: UInt32? = 0, userID: String) {
    self.login = login
    self.userID = userID
  }
}
