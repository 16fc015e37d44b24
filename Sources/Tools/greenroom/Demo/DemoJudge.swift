import CallAPI

/// Says whether the story went as it should, rule by rule.
struct DemoJudge {
  /// What came of one rule.
  struct Verdict: Codable, Sendable {
    var rule: String
    var isKept: Bool
    /// The evidence.
    var detail: String
  }

  let record: DemoRecord
  /// What is under way when the host stops publishing may still arrive within this time, on a busy machine too.
  static let underWay: Int64 = 1_000_000_000
  /// A show that goes on has no longer gap: it would stop for as long as the longest call rings.
  static let longestGap: Int64 = 1_400_000_000

  var verdicts: [Verdict] {
    var verdicts = [showIsReceived]
    for (index, call) in record.calls.enumerated() {
      let name = index == 0 ? "first call" : "second call"
      verdicts += [
        states(call, name), events(call, name), mediaOfCall(call, name), nothingOfTheHost(call, name),
        seenAgain(call, name),
      ]
    }
    verdicts += [nothingLeaks, nobodyLeftTheShow]
    verdicts += record.attempts.map { attempt($0) }
    return verdicts + [showGoesOn, everythingFreed, inTime]
  }

  private var live: String { DemoRecord.liveChannel }

  private func phase(_ slug: String) -> DemoRecord.Phase? { record.phases.first { $0.slug == slug } }

  private var showIsReceived: Verdict {
    let counts = DemoRole.audience.map { role -> (Int, Int) in
      guard let phase = phase("show"), let log = record.reception(role, of: .host, in: live) else { return (0, 0) }
      let range = phase.begin...phase.end
      return (log.pictures.count { range.contains($0) }, log.sounds.count { range.contains($0) })
    }
    return Verdict(
      rule: "Both viewers and the caller see and hear the host in the show",
      isKept: counts.allSatisfy { $0.0 >= 40 && $0.1 >= 50 },
      detail: counts.map { "\($0.0) pictures, \($0.1 * 10) ms of sound" }.joined(separator: "; "))
  }

  private func states(_ call: DemoRecord.Call, _ name: String) -> Verdict {
    let local: CallStateReason = call.isAudioOnly ? .localAudioCall : .localVideoCall
    let remote: CallStateReason = call.isAudioOnly ? .remoteAudioCall : .remoteVideoCall
    // The callee may have received the first picture or sound before it accepted: then its reason is the acceptance.
    let caller: [[UInt]] = [[1, 0], [2, local.rawValue], [3, 7], [4, 13], [1, 9]]
    let host: [[UInt]] = [[2, remote.rawValue], [3, 8], [4, 0], [1, 10]]
    let heard = (states(.caller, call.reports), states(.host, call.reports))
    let isKept =
      heard.0 == caller
      && heard.1.count == host.count
      && zip(heard.1, host).allSatisfy { $0[0] == $1[0] && ($0[1] == $1[1] || $0[0] == 4 && [8, 13].contains($0[1])) }
    return Verdict(
      rule: "The \(name) goes through the right states for the right reasons on both sides", isKept: isKept,
      detail: "caller \(text(heard.0)); host \(text(heard.1))")
  }

  private func events(_ call: DemoRecord.Call, _ name: String) -> Verdict {
    let placed: UInt = call.isAudioOnly ? 141 : 140
    let expected: [(DemoRole, [UInt])] = [
      (.caller, [placed, 10, 99, 103, 113, 105]), (.host, [placed + 2, 10, 104, 106]),
    ]
    let missing = expected.filter { role, order in
      var rest = order[...]
      for entry in record.reports[call.reports] where entry.role == role && entry.report.kind == .event {
        if entry.report.code == rest.first { rest.removeFirst() }
      }
      return !rest.isEmpty
    }
    let connections = record.reports[call.reports].count {
      $0.report.kind == .connected && $0.report.channel == call.room
    }
    let ends = record.reports[call.reports].count {
      $0.report.kind == .disconnected && $0.report.channel == call.room && $0.report.uid == DemoRole.caller.uid
    }
    return Verdict(
      rule: "The \(name) tells its events in order, and who ended it",
      isKept: missing.isEmpty && connections == 2 && ends == 2,
      detail: missing.isEmpty
        ? "connected twice, disconnected twice by the caller" : "missing at \(missing.map(\.0.name))")
  }

  private func states(_ role: DemoRole, _ range: Range<Int>) -> [[UInt]] {
    record.reports[range].filter { $0.role == role && $0.report.kind == .state }
      .map { [$0.report.code ?? 99, $0.report.reason ?? 99] }
  }

  private func attempt(_ attempt: DemoRecord.Attempt) -> Verdict {
    let heard = (states(.caller, attempt.reports), states(.host, attempt.reports))
    return Verdict(
      rule: "A call that is \(attempt.title) ends on both sides for the right reasons",
      isKept: heard.0 == attempt.callerStates && heard.1 == attempt.hostStates,
      detail: "caller \(text(heard.0)); host \(text(heard.1))")
  }

  private func text(_ states: [[UInt]]) -> String {
    states.map { pair in
      let state = CallState(rawValue: pair[0]).map { "\($0)" } ?? "?"
      return "\(state) (\(CallStateReason(rawValue: pair[1]).map { "\($0)" } ?? "?"))"
    }.joined(separator: " → ")
  }
}
