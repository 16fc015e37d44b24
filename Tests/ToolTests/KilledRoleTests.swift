import Foundation
import TestSupport
import Testing

/// Of two servers one passes the messages of calls on, the other forwards their media.
@Suite(
  "Calls when the server of messages is killed, or that of media", .serialized, .timeLimit(.minutes(10)), .ownThread)
struct KilledRoleTests {
  typealias Point = CallStageProcesses.Point

  private let redis: RedisServer

  init() throws { redis = try RedisServer() }

  private func stage(_ point: Point) throws -> CallStageProcesses {
    let options = ["--redis", redis.url]
    return try CallStageProcesses(
      point, server: ServerProcess(options), signaling: ServerProcess(options), serverOptions: options)
  }

  @Test(
    "without the server of messages a call goes on, one that is not yet connected ends; later ones work when it is back",
    arguments: Point.allCases)
  func messages(point: Point) throws {
    let stage = try stage(point)
    stage.signaling?.process.kill()
    _ = stage.signaling?.process.finish()
    switch point {
    case .show, .calling, .connecting:
      #expect(stage.hostIsBack(), "\(stage.host.output)")
      if point != .show { #expect(stage.caller?.exits(within: 15) == true, "\(stage.caller?.outputSoFar ?? "")") }
      try stage.restartSignaling()
    case .connected:
      // Longer than whoever is gone may be gone.
      Thread.sleep(forTimeInterval: 3)
      #expect(stage.callerGetsPictures() && stage.isHostInCall && stage.isCallerInCall, "\(stage.host.output)")
      try stage.restartSignaling()
      #expect(stage.callerGetsPictures() && stage.isHostInCall && stage.isCallerInCall, "\(stage.host.output)")
      stage.caller?.terminate()
      #expect(stage.caller?.exits(within: 15) == true)
      #expect(stage.hostIsBack(), "\(stage.host.output)")
    }
    if point == .show || point == .connected { #expect(try stage.callUntilConnected(), "\(stage.host.output)") }
    #expect(stage.end())
  }

  @Test(
    "without the server of media a call ends on both sides; later ones work when it is back",
    arguments: Point.allCases)
  func media(point: Point) throws {
    let stage = try stage(point)
    stage.server.process.kill()
    _ = stage.server.process.finish()
    if point != .show {
      #expect(stage.caller?.prints("call: prepared (") == true)
      #expect(stage.caller?.exits(within: 15) == true)
    }
    try stage.restartServer()
    #expect(stage.host.shows("joined show again"), "\(stage.host.output)")
    #expect(stage.hostIsBack(), "\(stage.host.output)")
    if point == .show || point == .connected { #expect(try stage.callUntilConnected(), "\(stage.host.output)") }
    #expect(stage.end())
  }
}
