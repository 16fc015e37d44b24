import CallAPI

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

  private static func topic(of error: CallErrorEvent) -> String {
    switch error {
    case .rtcOccurError: "The call's room: "
    case .startCaptureFail: "The camera: "
    case .sendMessageFail, .normalError: ""
    }
  }
}
