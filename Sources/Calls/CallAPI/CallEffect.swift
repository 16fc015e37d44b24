/// What a `CallStateMachine` wants done; in order.
public enum CallEffect: Hashable, Sendable {
  /// Send a message; answer with `sendFinished(id, …)`. After `timeToLiveMilliseconds` it must not come any more; `nil` leaves
  /// that to the signalling.
  case send(CallMessage, to: UInt, id: Int, timeToLiveMilliseconds: Int?)
  /// Encrypt a channel between the ends: the one that is joined, or the one that is to be joined next.
  case encrypt(room: String, CallMediaEncryption)
  /// Join the call's channel and receive, with the other side unheard and unseen; publish if the local user has agreed to
  /// the call already.
  case join(room: String, token: String, isVideo: Bool, peer: UInt, publishes: Bool)
  /// Publish in the call's channel: the local user has accepted.
  case publish(room: String, isVideo: Bool)
  /// Leave the call's channel.
  case leave(room: String)
  /// Let the other side be heard (and its picture be shown).
  case reveal(room: String, peer: UInt)
  /// Replace the token of the channel.
  case renewToken(room: String, token: String)
  /// Have `timerFired` called after so many milliseconds, in place of an earlier timer.
  case startTimer(milliseconds: Int)
  /// Forget the timer.
  case stopTimer
  /// Tell the reporter.
  case report(CallReport)
  /// Tell listeners.
  case notify(CallNotification)
  /// Call an API call's completion.
  case complete(id: Int, CallError?)
}

/// What listeners are told.
public enum CallNotification: Hashable, Sendable {
  /// The state, its reason, a text, and details.
  case state(CallState, CallStateReason, text: String, info: [String: JSONValue])
  /// An event, with a text for `remoteLeft` (the reason's number).
  case event(CallEvent, text: String?)
  /// An error.
  case error(CallErrorEvent, CallErrorCodeType, code: Int, message: String?)
  /// A call is connected; who called, and when (milliseconds since 1970).
  case connected(room: String, callUserID: UInt, timestamp: Int64)
  /// A call has ended; who ended it, when, and how long it lasted in milliseconds.
  case disconnected(room: String, hangupUserID: UInt, timestamp: Int64, duration: Int64)
  /// Something for the log.
  case warning(String)
}
