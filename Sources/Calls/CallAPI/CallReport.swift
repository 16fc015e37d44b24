/// One thing that a `CallAPI` did or noticed, for whoever wants to know how calls fare.
public struct CallReport: Hashable, Sendable {
  /// What kind of thing it is.
  public enum Kind: UInt, Codable, Sendable {
    /// A method was called; the name is the method's.
    case api = 0
    /// A step of a call was reached, or something took a time; `milliseconds` says when or how long.
    case cost = 1
    /// `stateChange` or `eventChange`.
    case custom = 2
  }

  /// What kind of thing it is.
  public var kind: Kind
  /// A method, a step of `costTimeMap`, `firstFramePerceived` (connecting to connected), `firstFrameActual` (joining the
  /// channel to connected), `stateChange` or `eventChange`.
  public var name: String
  /// Of costs; otherwise 0.
  public var milliseconds: Int64 = 0
  /// When, in milliseconds since 1970.
  public var timestamp: Int64
  /// Parameters of a method; `callId`, `userId` and `channelName` of a cost; `state`, `stateReason`, `eventReason`,
  /// `event`, `reasonString`, `userId`, `callId` and `roomId` of changes, as far as there are any.
  public var details: [String: JSONValue]
}

/// Takes what a `CallAPI` reports: its methods, changes of state, events, and what the steps of calls took.
///
/// Nothing is reported to anybody unless an application gives a reporter (`CallConfiguration.reporter`).
public protocol CallReporter: AnyObject, Sendable {
  /// Called on the callback queue, in order, before listeners are told of the same thing; must not block.
  func report(_ report: CallReport)
}
