import MediaEngine

/// What calls need of an engine; tests put another in its place.
protocol CallRTC: AnyObject, Sendable {
  /// Whether this user is in a channel that is not a call's: the application's own, such as its show.
  func isElsewhere(_ room: String, uid: UInt) -> Bool
  /// Joins a call's channel; 0 or a negative error code. `onEvent` may be called on any thread. With `givesWay` the
  /// application's own join of that channel ends this one, with the event `taken`.
  func join(
    _ room: String, token: String, uid: UInt, peer: UInt, isVideo: Bool, publishes: Bool, givesWay: Bool,
    localView: VideoCanvas.Target?,
    onEvent: @escaping @Sendable (CallStateMachine.ChannelEvent) -> Void, onTokenExpiry: @escaping @Sendable () -> Void
  ) -> Int
  /// Encrypts a call's channel between the ends, now or from the next join on. While the key is awaited, nothing is
  /// received, and nothing published.
  func encrypt(_ room: String, uid: UInt, _ encryption: CallMediaEncryption)
  /// Publishes and receives in a call's channel.
  func publish(_ room: String, uid: UInt, isVideo: Bool)
  /// Lets the other side be heard and seen.
  func reveal(_ room: String, uid: UInt, peer: UInt, remoteView: VideoCanvas.Target?)
  /// Replaces a channel's token.
  func renewToken(_ room: String, uid: UInt, token: String)
  /// Leaves a call's channel; nothing happens to one that could not be joined.
  func leave(_ room: String, uid: UInt)
}
