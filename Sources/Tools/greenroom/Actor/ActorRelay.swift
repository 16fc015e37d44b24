import CallAPI
import MediaEngine

/// Reports what an engine tells.
final class ActorRelay: RTCEngineDelegate {
  private let output: ActorOutput

  init(_ output: ActorOutput) { self.output = output }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int) {
    output.send(ActorReport(.joined, channel: connection.channelID, uid: uid))
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {
    output.send(ActorReport(.userJoined, channel: connection.channelID, uid: uid))
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didOfflineOfUID uid: UInt, reason: UserOfflineReason) {
    output.send(ActorReport(.userLeft, channel: connection.channelID, uid: uid, text: "\(reason)"))
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection?, didOccurError code: EngineErrorCode, message: String)
  { output.send(ActorReport(.engineError, channel: connection?.channelID, text: message)) }
}

extension ActorOutput {
  /// Reports what a call tells.
  func send(_ call: CallObserver.Report) {
    var report: ActorReport
    switch call {
    case .state(let state, let reason, let details):
      report = ActorReport(.state, uid: details.sender, text: "\(state)")
      report.code = state.rawValue
      report.reason = reason.rawValue
    case .event(let event, let text):
      report = ActorReport(.event, text: "\(event)")
      report.code = event.rawValue
      report.reason = text.flatMap { UInt($0) }
    case .error(let event, let code, let message):
      report = ActorReport(.callError, text: "\(event) \(code): \(message)")
    case .connected(let room): report = ActorReport(.connected, channel: room)
    case .disconnected(let room, let uid, _): report = ActorReport(.disconnected, channel: room, uid: uid)
    case .encrypted, .debug: return
    }
    send(report)
  }
}
