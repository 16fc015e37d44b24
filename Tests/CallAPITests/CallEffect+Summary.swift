@testable import CallAPI

extension CallEffect {
  /// One line: `S(state,reason)`, `E` and the event's number, `CC` connected, `CD` disconnected, `M>` a message, `done` and
  /// the name of what is complete.
  func summary(_ completions: [String]) -> String {
    switch self {
    case .send(let message, let peer, _, _): "M>\(message.summary) \(peer)"
    case .join(let room, _, let isVideo, _, let publishes):
      "join \(room) \(isVideo ? "video" : "audio")\(publishes ? " publishing" : "")"
    case .encrypt(let room, let encryption):
      switch encryption {
      case .none: "plain \(room)"
      case .awaited: "await key \(room)"
      case .key: "encrypt \(room)"
      }
    case .publish(let room, let isVideo): "publish \(room) \(isVideo ? "video" : "audio")"
    case .leave(let room): "leave \(room)"
    case .reveal(let room, let peer): "reveal \(room) \(peer)"
    case .renewToken(let room, let token): "token \(room) \(token)"
    case .startTimer(let milliseconds): "timer \(milliseconds)"
    case .stopTimer: "timer off"
    case .report(let report): "report \(report.name) \(report.milliseconds)"
    case .notify(let notification): notification.summary
    case .complete(let id, let error): "done \(completions[id - 1])" + (error.map { ": \($0.message)" } ?? "")
    }
  }
}

extension CallNotification {
  fileprivate var summary: String {
    switch self {
    case .state(let state, let reason, _, _): "S(\(state.rawValue),\(reason.rawValue))"
    case .event(let event, let text): "E\(event.rawValue)" + (text.map { " \($0)" } ?? "")
    case .error(let event, let type, let code, let message):
      "error \(event.rawValue) \(type.rawValue) \(code) \(message ?? "-")"
    case .connected(_, let caller, _): "CC \(caller)"
    case .disconnected(_, let ender, _, let duration): "CD \(ender) \(duration)"
    case .warning(let text): "warning \(text)"
    }
  }
}

extension CallMessage {
  fileprivate var summary: String {
    switch action {
    case .videoCall: "call"
    case .audioCall: "audio call"
    case .cancelCall: isCancelledByTimer ? "cancel by timer" : "cancel"
    case .accept: "accept"
    case .reject: isRejectedByBusyness ? "reject busy" : "reject"
    case .hangup: "hangup"
    }
  }
}
