/// What a `CallAPI` reports. Called on the callback queue, in order; every method but the first has a default. Calling the
/// `CallAPI` from them is safe: what is asked for happens after the present reports.
public protocol CallAPIListener: AnyObject, Sendable {
  /// The call's state has been reached, or is told again for another reason. `eventInfo` holds the message that led to it.
  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue])
  /// Something has happened in the course of a call. `eventReason` is the reason's number for `remoteLeft`.
  func onCallEventChanged(event: CallEvent, eventReason: String?)
  /// Something went wrong. The state stays as it is: cancel or hang up if the call is not to go on.
  func onCallError(errorEvent: CallErrorEvent, errorType: CallErrorCodeType, errorCode: Int, message: String?)
  /// A call is connected. `timestamp` is in milliseconds since 1970.
  func onCallConnected(roomID: String, callUserID: UInt, currentUserID: UInt, timestamp: Int64)
  /// A call has ended. `duration` is in milliseconds.
  func onCallDisconnected(
    roomID: String, hangupUserID: UInt, currentUserID: UInt, timestamp: Int64, duration: Int64)
  /// Whether the channel of an incoming call may be joined while it rings; asked before the call is told. `nil`, the
  /// default, leaves it to other listeners. It is joined if anybody says yes, or if nobody says anything.
  func canJoinRTCOnCalling(eventInfo: [String: JSONValue]) -> Bool?
  /// The token runs out in 30 s: renew it.
  func tokenPrivilegeWillExpire()
  /// Something for the log.
  func callDebugInfo(message: String, logLevel: CallLogLevel)
}

extension CallAPIListener {
  /// Does nothing.
  public func onCallEventChanged(event: CallEvent, eventReason: String?) {}
  /// Does nothing.
  public func onCallError(errorEvent: CallErrorEvent, errorType: CallErrorCodeType, errorCode: Int, message: String?) {}
  /// Does nothing.
  public func onCallConnected(roomID: String, callUserID: UInt, currentUserID: UInt, timestamp: Int64) {}
  /// Does nothing.
  public func onCallDisconnected(
    roomID: String, hangupUserID: UInt, currentUserID: UInt, timestamp: Int64, duration: Int64
  ) {}
  /// No opinion.
  public func canJoinRTCOnCalling(eventInfo: [String: JSONValue]) -> Bool? { nil }
  /// Does nothing.
  public func tokenPrivilegeWillExpire() {}
  /// Does nothing.
  public func callDebugInfo(message: String, logLevel: CallLogLevel) {}
}
