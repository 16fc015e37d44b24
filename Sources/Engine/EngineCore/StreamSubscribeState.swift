/// Where the reception of one user's track stands. The raw values are those of the SDKs.
public enum StreamSubscribeState: Int, Sendable, CaseIterable {
  /// The user is not there.
  case idle = 0
  /// Nothing is to come: the user does not publish, or this side does not want it.
  case noSubscribed = 1
  /// Asked for; nothing has come yet.
  case subscribing = 2
  /// The first frame has come.
  case subscribed = 3
}
