import Foundation
import TestSupport
import Testing

@Suite("Calls over a network that is cut", .serialized, .timeLimit(.minutes(30)), .ownThread)
struct NetworkCutTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var point: CallStageProcesses.Point
    var seconds: Double
    var cutsHost: Bool
    var testDescription: String { "\(point), \(cutsHost ? "host" : "caller") cut off for \(seconds) s" }
  }

  /// `CALL_CUTS=3,15,60` plays those with the limits that programs have by default, as `make soak` does; otherwise cuts that
  /// are short and long against short limits.
  private static let asked = ProcessInfo.processInfo.environment["CALL_CUTS"].map {
    $0.split(separator: ",").compactMap { Double($0) }
  }

  static let cases = CallStageProcesses.Point.allCases.flatMap { point in
    (asked ?? (point == .connected ? [0.5, 3] : [3])).flatMap { seconds in
      // A caller who does not call cannot be cut off.
      (point == .show ? [true] : [false, true]).map { Case(point: point, seconds: seconds, cutsHost: $0) }
    }
  }

  @Test("whoever is cut off and who is not: both are prepared in the end, or still in their call", arguments: cases)
  func cut(_ played: Case) throws {
    let limits = Self.asked == nil ? CallStageProcesses.Limits() : .init(ring: 15, absence: 10)
    let server = try ServerProcess(["--advertise", "127.0.0.2"])
    let relays = try [3, 4].map { try CutRelay($0, http: server.httpPort, udp: server.udpPort) }
    defer { relays.forEach { $0.end() } }
    let stage = try CallStageProcesses(
      played.point, server: server, limits: limits, hostURL: relays[0].url, callerURL: relays[1].url)
    let relay = relays[played.cutsHost ? 0 : 1]
    relay.cut()
    Thread.sleep(forTimeInterval: played.seconds)
    relay.mend()
    if played.point == .connected {
      Thread.sleep(forTimeInterval: limits.absence + 0.5)
      let isInCall = stage.isCallerInCall
      if played.seconds < limits.absence { #expect(isInCall) }
      // Whoever has not noticed the cut goes on, with the other side.
      if isInCall {
        let before = stage.caller?.outputSoFar.count ?? 0
        let isSeen = stage.caller?.prints(after: before) { $0.contains(" fps 160x90") && !$0.contains(" 0 fps") }
        #expect(isSeen == true && stage.isHostInCall, "\(stage.host.output)")
        stage.caller?.terminate()
      }
    }
    if played.point != .show { #expect(stage.caller?.exits(within: 30) == true, "\(stage.caller?.outputSoFar ?? "")") }
    #expect(stage.hostIsBack(), "\(stage.host.output)")
    #expect(stage.end(), "\(stage.host.output)")
  }
}
