import ControlWire
public import MediaEngine
public import Signaling
import Synchronization

/// Tells our server what each call has cost and how good it was, for its record of the call: once when it is connected, and
/// once when that has ended. What cannot be sent is lost; calls do not wait for it.
///
/// Of calls that never connect nothing is sent: everybody can make them, as many as they like.
public final class ServerCallReporter: CallReporter {
  private struct Call {
    let callID: String
    var room = ""
    var costs: [String: Int] = [:]
    var isConnected = false
  }

  private let client: any CallReporting
  private let quality: @Sendable (_ roomID: String) -> [String: Double]
  /// The call of the moment, by its user.
  private let calls = Mutex<[JSONValue?: Call]>([:])

  var openCallCount: Int { calls.withLock { $0.count } }

  /// Makes a reporter.
  ///
  /// - Parameters:
  ///   - client: carries the reports, for example a `WebSocketSignalClient`.
  ///   - quality: what is known of the call in a channel when it ends: numbers by names.
  public init(
    _ client: any CallReporting, quality: @escaping @Sendable (_ roomID: String) -> [String: Double] = { _ in [:] }
  ) {
    self.client = client
    self.quality = quality
  }

  /// Makes a reporter that takes the quality from an engine's statistics.
  public convenience init(_ client: any CallReporting, engine: RTCEngine, userID: UInt) {
    self.init(client) { [weak engine] room in
      let connection = RTCConnection(channelID: room, localUID: userID)
      return engine?.statistics(of: connection).map(Self.summary) ?? [:]
    }
  }

  private static func summary(_ statistics: RTCStatistics) -> [String: Double] {
    var summary = ["seconds": statistics.duration]
    summary["roundTripMilliseconds"] = statistics.roundTripMilliseconds
    guard statistics.duration > 0, let remote = statistics.remote.first else { return summary }
    summary["receivedVideoFrameRate"] = Double(remote.decodedVideoFrames) / statistics.duration
    summary["videoPacketsLost"] = Double(remote.videoPacketsLost)
    summary["audioPacketsLost"] = Double(remote.audioPacketsLost)
    summary["concealedAudioMilliseconds"] = Double(remote.concealedAudioFrames * 10)
    summary["freezeCount"] = Double(remote.freezeCount)
    summary["frozenSeconds"] = remote.frozenSeconds
    return summary
  }

  /// Takes what a `CallAPI` reports.
  public func report(_ report: CallReport) {
    guard let callID = report.details[CallInfoKey.callID]?.text, !callID.isEmpty else { return }
    let user = report.details["userId"]
    switch report.kind {
    case .api: break
    case .cost:
      // The last thing to be known of a call that connects.
      let connects = report.name == "firstFrameActual"
      let call = calls.withLock { calls in
        // A call that another takes the place of has no end of its own.
        var call = calls[user].flatMap { $0.callID == callID ? $0 : nil } ?? Call(callID: callID)
        call.costs[report.name] = Int(clamping: report.milliseconds)
        call.room = report.details["channelName"]?.text ?? ""
        if connects { call.isConnected = true }
        calls[user] = call
        return call
      }
      if connects { send(ReportRequest.connected, call, [:]) }
    case .custom:
      let ends = [CallState.prepared, .idle].contains { report.details["state"] == JSONValue($0.rawValue) }
      guard report.name == "stateChange", ends, let call = calls.withLock({ $0.removeValue(forKey: user) }) else {
        return
      }
      if call.callID == callID, call.isConnected { send(ReportRequest.ended, call, quality(call.room)) }
    }
  }

  private func send(_ kind: String, _ call: Call, _ quality: [String: Double]) {
    let request = ReportRequest(requestID: 0, callID: call.callID, kind: kind, costs: call.costs, quality: quality)
    guard request.isValid else { return }
    client.report(request) { _ in }
  }
}
