public import ControlWire
public import MediaBase

/// What a `SignalDirectory` tells its owner beside what is to be sent.
public enum SignalDirectoryEvent: Hashable, Sendable {
  /// A user has logged in here, or a session goes on; to be answered by `numbered`. Only where there are other servers.
  case claimed(SignalClaim)
  /// A user is no longer logged in here, and no other connection has taken over.
  case loggedOut(uid: UInt)
  /// A text of a user here has been taken for delivery.
  case relayed(message: String, from: UInt, to: UInt)
  /// A text of a user here could not be delivered, since its receiver is not logged in.
  case unreachable(message: String, from: UInt, to: UInt)
  /// A text of a user of another server has been taken for delivery to a user here.
  case received(message: String, from: UInt, to: UInt)
  /// A user's report on a call; to be answered by `answerReport`.
  case report(ReportRequest, from: UInt, client: UInt64)
  /// A text to a user who is not logged in here, for another server; to be answered by `remoteAnswered`.
  case remoteText(RemoteText)
  /// What has become of a text that another server has given here: `nil` if it has been delivered.
  case remoteAnswer(server: String, number: UInt64, error: ErrorResponse?)
}

/// A text between users of two servers.
public struct RemoteText: Hashable, Sendable {
  /// Names the text on the sender's server.
  public var number: UInt64
  /// From whom.
  public var from: UInt
  /// To whom.
  public var to: UInt
  /// The text.
  public var message: String
  /// By which the receiver's client knows it again.
  public var messageID: Int?
  /// How long it is worth delivering.
  public var timeToLive: MediaDuration

  /// Makes a text.
  public init(
    number: UInt64, from: UInt, to: UInt, message: String, messageID: Int?, timeToLive: MediaDuration
  ) {
    self.number = number
    self.from = from
    self.to = to
    self.message = message
    self.messageID = messageID
    self.timeToLive = timeToLive
  }
}
