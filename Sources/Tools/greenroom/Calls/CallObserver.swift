import CallAPI

/// Hands what a `CallAPI` reports to closures.
final class CallObserver: CallAPIListener {
  /// One report.
  enum Report: Sendable {
    case state(CallState, CallStateReason, peer: UInt?)
    case event(CallEvent, text: String?)
    case error(CallErrorEvent, code: Int, message: String)
    case connected(room: String)
    /// The call is encrypted between the ends; what both users can compare.
    case encrypted(text: String)
    case disconnected(room: String, by: UInt, milliseconds: Int64)
    /// A call has ended by itself: the other side is gone.
    case abandoned(peer: UInt?)
    case debug(String)
  }

  private let onReport: @Sendable (Report) -> Void

  /// - Parameter onReport: called on the callback queue.
  init(_ onReport: @escaping @Sendable (Report) -> Void) { self.onReport = onReport }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {
    let peer = eventInfo[CallInfoKey.fromUserID]?.wholeNumber.flatMap { UInt(exactly: $0) }
    if eventInfo[CallInfoKey.hangupReason] == "remoteLeft" { onReport(.abandoned(peer: peer)) }
    onReport(.state(state, stateReason, peer: peer))
    if case .string(let text) = eventInfo[CallInfoKey.authenticationText] { onReport(.encrypted(text: text)) }
  }

  func onCallEventChanged(event: CallEvent, eventReason: String?) { onReport(.event(event, text: eventReason)) }

  func onCallError(errorEvent: CallErrorEvent, errorType: CallErrorCodeType, errorCode: Int, message: String?) {
    onReport(.error(errorEvent, code: errorCode, message: message ?? "\(errorEvent)"))
  }

  func onCallConnected(roomID: String, callUserID: UInt, currentUserID: UInt, timestamp: Int64) {
    onReport(.connected(room: roomID))
  }

  func onCallDisconnected(
    roomID: String, hangupUserID: UInt, currentUserID: UInt, timestamp: Int64, duration: Int64
  ) { onReport(.disconnected(room: roomID, by: hangupUserID, milliseconds: duration)) }

  func callDebugInfo(message: String, logLevel: CallLogLevel) { onReport(.debug(message)) }
}
