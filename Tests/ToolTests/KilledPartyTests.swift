import Foundation
import TestSupport
import Testing

@Suite("Who is left when a party of a call is killed", .serialized, .timeLimit(.minutes(10)), .ownThread)
struct KilledPartyTests {
  typealias Point = CallStageProcesses.Point

  @Test("the caller is killed: the host is back in its show, and takes the next call", arguments: Point.allCases)
  func caller(point: Point) throws {
    let stage = try CallStageProcesses(point, server: ServerProcess())
    stage.caller?.kill()
    _ = stage.caller?.finish()
    #expect(stage.hostIsBack(), "\(stage.host.output)")
    if point == .connected { #expect(stage.host.output.contains("user 2 has gone without hanging up: the call ends")) }
    if point != .connecting {
      try stage.call()
      if point == .calling {
        #expect(stage.host.shows("a accepts, r rejects", times: 2))
        stage.host.press("a")
      }
      #expect(stage.caller?.prints("call: connected") == true)
    }
    #expect(stage.end())
  }

  @Test("the host is killed: the caller's call ends", arguments: [Point.calling, .connecting, .connected])
  func host(point: Point) throws {
    let stage = try CallStageProcesses(point, server: ServerProcess())
    stage.host.tool.kill()
    let outcome = stage.caller?.finish()
    #expect(outcome?.output.contains("call: prepared") == true, "\(String(describing: outcome))")
    // Connected, it has ended after an absence, with something received or nothing. Otherwise the absence was noticed, or
    // the time to answer was over before.
    #expect((point == .connected ? [0, 2] : [1, 4]).contains(outcome?.status), "\(String(describing: outcome))")
    _ = stage.host.tool.finish()
    #expect(stage.server.end() == 0)
  }

  @Test("the server is killed and comes again: calls end or go on, and the next call works", arguments: Point.allCases)
  func server(point: Point) throws {
    let stage = try CallStageProcesses(point, server: ServerProcess())
    stage.server.process.kill()
    _ = stage.server.process.finish()
    if point != .show {
      #expect(stage.hostIsBack(), "\(stage.host.output)")
      #expect(stage.caller?.prints("call: prepared (") == true)
      #expect(stage.caller?.exits(within: 15) == true)
    }
    if point == .connected {
      for output in [stage.host.output, stage.caller?.outputSoFar ?? ""] {
        #expect(output.contains("the connection to the server is lost: the call ends"), "\(output)")
        #expect(!output.contains("has gone without hanging up"), "\(output)")
      }
    }
    try stage.restartServer()
    #expect(stage.host.shows("joined show again"), "\(stage.host.output)")
    if point == .connected || point == .show {
      #expect(try stage.callUntilConnected())
    }
    #expect(stage.end())
  }

  @Test("a server that comes again at once finds the call as it was")
  func quickRestart() throws {
    let limits = CallStageProcesses.Limits(ring: 15, absence: 20)
    let stage = try CallStageProcesses(.connected, server: ServerProcess(), limits: limits)
    stage.server.process.kill()
    _ = stage.server.process.finish()
    try stage.restartServer()
    #expect(stage.host.shows("joined show again"))
    // The call goes on: pictures come again.
    let before = stage.caller?.outputSoFar.count ?? 0
    #expect(stage.caller?.prints(after: before) { $0.contains(" fps 160x90") && !$0.contains(" 0 fps") } == true)
    #expect(stage.caller?.outputSoFar.contains("call: prepared (remoteHangup)") == false)
    #expect(stage.end())
  }
}
