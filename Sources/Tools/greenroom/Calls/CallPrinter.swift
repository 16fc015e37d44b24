import CallAPI
import ControlWire

/// Prints what is reported of calls.
struct CallPrinter: Sendable {
  let uid: UInt
  let connections: ConnectionWatch

  func print(_ report: CallObserver.Report) {
    switch report {
    case .state(let state, let reason, let details): print(state, reason, details)
    case .connected(let room): Terminal.event("call connected in \(room)")
    case .encrypted(let text): Terminal.event("encrypted between the ends; both see: \(text)")
    case .disconnected(_, let uid, let milliseconds):
      Terminal.event("call ended by \(uid) after \(Terminal.fixed(Double(milliseconds) / 1_000, decimals: 1)) s")
    // Who calls is told so by the call's own failure; that a user who is not there is told nothing is nothing new.
    case .error(.sendMessageFail, ControlErrorCode.userOffline.rawValue, _): break
    case .error(.sendMessageFail, _, let message): Terminal.error(Terminal.plain(Self.withoutMethod(message)))
    case .error(let event, _, let message): Terminal.error(Self.topic(of: event) + Terminal.plain(message))
    case .event(let event, let text): Terminal.event("event: \(event)" + (text.map { " (\($0))" } ?? ""))
    case .debug: break
    }
  }

  private func print(_ state: CallState, _ reason: CallStateReason, _ details: CallDetails) {
    if details.isAbandonment {
      Terminal.event(
        connections.wasCutOff
          ? "the connection to the server is lost: the call ends"
          : "user \(details.sender ?? 0) has gone without hanging up: the call ends")
    }
    let explanation = details.explanation.map { ": \($0)" } ?? ""
    let sender = details.sender.flatMap { $0 == uid ? nil : ", user \($0)" } ?? ""
    Terminal.event("call: \(state) (\(reason)\(explanation))" + sender)
  }

  /// What the message says behind the name of the method, which is for programs (`hangup fail: `).
  private static func withoutMethod(_ message: String) -> String {
    guard let mark = message.firstRange(of: " fail: "), !message[..<mark.lowerBound].contains(" ") else {
      return message
    }
    return String(message[mark.upperBound...])
  }

  private static func topic(of error: CallErrorEvent) -> String {
    switch error {
    case .rtcOccurError: "The call's room: "
    case .startCaptureFail: "The camera: "
    case .sendMessageFail, .normalError: ""
    }
  }
}
