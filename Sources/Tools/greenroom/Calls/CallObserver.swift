import CallAPI
import MediaEngine

/// Hands what a `CallAPI` reports to closures.
final class CallObserver: CallAPIListener {
  /// One report.
  enum Report: Sendable {
    case state(CallState, CallStateReason, CallDetails)
    case event(CallEvent, text: String?)
    case error(CallErrorEvent, code: Int, message: String)
    case connected(room: String)
    /// The call is encrypted between the ends; what both users can compare.
    case encrypted(text: String)
    case disconnected(room: String, by: UInt, milliseconds: Int64)
    case debug(String)
  }

  private let onReport: @Sendable (Report) -> Void

  /// - Parameter onReport: called on the callback queue.
  init(_ onReport: @escaping @Sendable (Report) -> Void) { self.onReport = onReport }

  func onCallStateChanged(
    state: CallState, stateReason: CallStateReason, eventReason: String, eventInfo: [String: JSONValue]
  ) {
    onReport(.state(state, stateReason, CallDetails(eventReason: eventReason, eventInfo: eventInfo)))
    if case .string(let text) = eventInfo[CallInfoKey.authenticationText] { onReport(.encrypted(text: text)) }
  }

  func onCallEventChanged(event: CallEvent, eventReason: String?) { onReport(.event(event, text: eventReason)) }

  func onCallError(errorEvent: CallErrorEvent, errorType: CallErrorCodeType, errorCode: Int, message: String?) {
    onReport(.error(errorEvent, code: errorCode, message: message ?? Self.describe(errorCode, of: errorType)))
  }

  /// For errors that come without a sentence.
  private static func describe(_ code: Int, of type: CallErrorCodeType) -> String {
    guard type == .rtc, let error = EngineErrorCode(rawValue: code) else { return "error \(code)" }
    return "error \(code), \(error)"
  }

  func onCallConnected(roomID: String, callUserID: UInt, currentUserID: UInt, timestamp: Int64) {
    onReport(.connected(room: roomID))
  }

  func onCallDisconnected(
    roomID: String, hangupUserID: UInt, currentUserID: UInt, timestamp: Int64, duration: Int64
  ) { onReport(.disconnected(room: roomID, by: hangupUserID, milliseconds: duration)) }

  func callDebugInfo(message: String, logLevel: CallLogLevel) { onReport(.debug(message)) }
}

extension CallObserver.Report {
  /// Why this user may not be in the call's room, if this is about that: the call cannot come about then, whatever the
  /// other side does.
  var tokenRefusal: String? {
    let codes: [EngineErrorCode] = [.invalidAppID, .tokenExpired, .invalidToken]
    guard case .error(.rtcOccurError, let code, let message) = self, codes.contains(where: { $0.rawValue == code })
    else { return nil }
    return "The token for the room was refused: \(message)"
  }

  /// Whether a call that came or went out was refused here because it could not be encrypted.
  var isEncryptionRefusal: Bool {
    if case .error(.normalError, -EngineErrorCode.decryptionFailed.rawValue, _) = self { true } else { false }
  }
}
