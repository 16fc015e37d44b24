import Foundation
import TestSupport
import Testing

@Suite(
  "A machine whose address changes", .serialized, .timeLimit(.minutes(10)), .ownThread,
  .enabled(if: TwoNetworks.isPossible))
struct ChangedAddressTests {
  private static let pictures = ["--video", "pattern", "--audio", "tone", "--size", "160x90", "--fps", "20"]

  /// Somebody on each machine who publishes, and somebody who watches both.
  private struct Show {
    let server: NetworkServer
    let publishers: [ToolProcess]
    let watchers: [ToolProcess]
    let files: ScratchDirectory

    var ofClient: [ToolProcess] { [publishers[1], watchers[1]] }

    init(_ networks: TwoNetworks) throws {
      let files = try ScratchDirectory()
      let server = try NetworkServer(networks)
      let machines = [TwoNetworks.Machine.server, .client]
      publishers = try zip(machines, 1...).map { machine, uid in
        try server.tool(machine, "publish", uid, ["--channel", "show"] + ChangedAddressTests.pictures)
      }
      watchers = try zip(machines, 3...).map { machine, uid in
        try server.tool(machine, "watch", uid, ["--channel", "show", "--stats", files.file("\(machine).json")])
      }
      (self.server, self.files) = (server, files)
    }

    func hasBegun() -> Bool {
      watchers.allSatisfy { $0.prints("first picture of 1") && $0.prints("first picture of 2") }
    }

    func hasLostNobody() {
      for tool in publishers + watchers { #expect(!tool.outputSoFar.contains("has gone"), "\(tool.outputSoFar)") }
    }

    /// Whoever is on the client's machine notices that its address has gone, and joins again.
    func joinsAgain() {
      for tool in ofClient {
        #expect(tool.prints("reconnecting (clientIPChanged)"), "\(tool.outputSoFar)")
        #expect(tool.prints("joined show again"), "\(tool.outputSoFar)")
      }
    }

    /// How long pictures paused, in milliseconds, as the watchers saw it: up and down. Everybody is ended.
    func longestPauses(_ what: String) throws -> [Double] {
      let pauses = try endWatching()
      print("\(what): pictures paused for \(pauses.map { Int($0) }) ms (up, down)")
      return pauses
    }

    private func endWatching() throws -> [Double] {
      for tool in publishers + watchers { tool.terminate() }
      for tool in publishers + watchers { _ = tool.finish() }
      _ = server.end()
      return try [("server", 2), ("client", 1)].map { machine, uid in
        let text = try Data(contentsOf: URL(fileURLWithPath: files.file("\(machine).json")))
        let report = try JSONSerialization.jsonObject(with: text) as? [String: Any]
        let remote = report?["remote"] as? [[String: Any]] ?? []
        return try #require(remote.first { $0["uid"] as? Int == uid }?["longestPauseMilliseconds"] as? Double)
      }
    }
  }

  @Test("who gets another address joins again at once: nobody was gone, and media goes on", arguments: [0.0, 2.0])
  func change(secondsWithout: Double) throws {
    let networks = try TwoNetworks()
    try networks.join(.wifi)
    let show = try Show(networks)
    #expect(show.hasBegun())
    try networks.leave(.wifi)
    Thread.sleep(forTimeInterval: secondsWithout)
    try networks.join(.cable)
    for tool in show.ofClient { #expect(tool.prints("joined show again"), "\(tool.outputSoFar)") }
    Thread.sleep(forTimeInterval: 1)
    show.hasLostNobody()
    let pauses = try show.longestPauses("another address after \(secondsWithout) s without")
    for tool in show.ofClient {
      let states = tool.outputSoFar.split(separator: "\n").filter { $0.contains("connection to show: ") }
      #expect(
        states.prefix(4).map { $0.split(separator: ": ").last }
          == [
            "connecting (connecting)", "connected (joinSuccess)", "reconnecting (clientIPChanged)",
            "connected (rejoinSuccess)",
          ], "\(tool.outputSoFar)")
    }
    // Without it, silence is noticed after 4 s at the earliest.
    for pause in pauses { #expect(pause < secondsWithout * 1_000 + 4_000) }
  }

  @Test("a second address that is preferred from now on is used without joining again, until the first one goes")
  func addition() throws {
    let networks = try TwoNetworks()
    try networks.join(.wifi)
    let show = try Show(networks)
    #expect(show.hasBegun())
    try networks.join(.cable)
    // Longer than the server may take to answer.
    Thread.sleep(forTimeInterval: 6)
    for tool in show.ofClient { #expect(!tool.outputSoFar.contains("reconnecting"), "\(tool.outputSoFar)") }
    try networks.leave(.wifi)
    show.joinsAgain()
    Thread.sleep(forTimeInterval: 1)
    show.hasLostNobody()
    let pauses = try show.longestPauses("a second address, then only that")
    for pause in pauses { #expect(pause < 4_000) }
  }

  @Test("an address that is still there and leads nowhere is given up when a second one is preferred")
  func deadAddress() throws {
    let networks = try TwoNetworks()
    try networks.join(.wifi)
    let show = try Show(networks)
    #expect(show.hasBegun())
    try networks.join(.cable)
    try networks.silence(.wifi)
    show.joinsAgain()
    show.hasLostNobody()
    _ = try show.longestPauses("a second address, the first one dead")
  }

  @Test("who gets another address while joining joins from there, without a word of failure")
  func changeBeforeJoining() throws {
    let networks = try TwoNetworks()
    try networks.join(.wifi)
    let server = try NetworkServer(networks)
    try networks.silence(.wifi)
    let tool = try server.tool(.client, "publish", 2, ["--channel", "show"] + Self.pictures)
    #expect(tool.prints("connecting (connecting)"))
    // The attempt is on its way.
    Thread.sleep(forTimeInterval: 1)
    #expect(!tool.outputSoFar.contains("joined"))
    try networks.join(.cable)
    try networks.leave(.wifi)
    for first in ["picture", "sound"] {
      #expect(tool.prints("first \(first) sent to show"), "\(tool.outputSoFar)")
    }
    #expect(!tool.outputSoFar.contains("reconnecting"), "\(tool.outputSoFar)")
    tool.terminate()
    let outcome = tool.finish()
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(server.end() == 0)
  }

  @Test("a call goes on over another address of the caller, whose hanging up is told")
  func call() throws {
    let networks = try TwoNetworks()
    try networks.join(.wifi)
    let server = try NetworkServer(networks)
    let host = try server.tool(.server, "answer", 1, ["--calls", "1", "--show", "show", "--auto"] + Self.pictures)
    #expect(host.prints("waiting for calls"))
    let caller = try server.tool(.client, "call", 2, ["--peer", "1"] + Self.pictures)
    for tool in [host, caller] { #expect(tool.prints("call: connected"), "\(tool.outputSoFar)") }
    try networks.leave(.wifi)
    try networks.join(.cable)
    Thread.sleep(forTimeInterval: 2)
    for tool in [host, caller] {
      let isSeen = tool.prints(after: tool.outputSoFar.count) { $0.contains(" fps 160x90") && !$0.contains(" 0 fps") }
      #expect(isSeen, "\(tool.outputSoFar)")
      let states = tool.outputSoFar.split(separator: "\n").filter { $0.contains("  call: ") }
      #expect(states.last?.contains("call: connected") == true, "\(tool.outputSoFar)")
    }
    caller.terminate()
    #expect(host.prints("call: prepared (remoteHangup)"), "\(host.outputSoFar)")
    #expect(caller.finish().status == 0)
    #expect(host.finish().status == 0)
    #expect(server.end() == 0)
  }
}
