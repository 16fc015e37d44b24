import ChannelCore
import ControlWire
import MediaBase
import Testing

@testable import Signaling

/// The client's and the server's rules together, over links that lose connections, on a virtual clock from a seed.
@Suite("Signalling over bad networks") struct SignalNetworkTests {
  @Test(
    "however connections break, every text comes once and in order, and its sender is told the truth",
    arguments: 1...40 as ClosedRange<UInt64>)
  func brokenConnections(seed: UInt64) {
    var world = SignalWorld(seed: seed, users: 3)
    world.run(for: .seconds(60), textsPerSecond: 12, lossesPerSecond: 0.7)
    world.settle()
    for sent in world.texts {
      switch sent.result {
      case nil: Issue.record("seed \(seed): text \(sent.text) has no answer")
      case .some(nil): #expect(sent.arrivals == 1, "seed \(seed): \(sent.text) delivered \(sent.arrivals) times")
      case .some(let error?):
        #expect(sent.arrivals <= (error.isCertain ? 0 : 1), "seed \(seed): \(sent.text) came in spite of \(error)")
      }
    }
    #expect(world.texts.filter { $0.result == .some(nil) }.count > world.texts.count * 9 / 10)
    #expect(world.disorder.isEmpty, "seed \(seed): \(world.disorder)")
    #expect(world.late.isEmpty, "seed \(seed): too late: \(world.late)")
    #expect(world.lossCount > 20)
  }

  @Test(
    "restarts of the server lose no connection for good, and nothing comes twice",
    arguments: 1...20 as ClosedRange<UInt64>)
  func restarts(seed: UInt64) {
    var world = SignalWorld(seed: seed, users: 3)
    for _ in 0..<6 {
      world.run(for: .seconds(8), textsPerSecond: 12, lossesPerSecond: 0.3)
      world.restartServer()
    }
    world.settle()
    for sent in world.texts {
      #expect(sent.result != nil && sent.arrivals <= 1, "seed \(seed): \(sent)")
      if sent.result == .some(nil) { #expect(sent.arrivals == 1, "seed \(seed): \(sent)") }
    }
    #expect(world.disorder.isEmpty, "seed \(seed): \(world.disorder)")
    #expect(world.late.isEmpty, "seed \(seed): too late: \(world.late)")
  }

  @Test("a text lives as long as its sender says, over lost connections too: longer than others, or less long")
  func lives() {
    var core = SignalClientCore(timing: SignalClientCore.Timing(), seed: 1) { "session-of-16-bytes" }
    var now = MediaInstant.zero
    var results: [Int: SignalError?] = [:]
    var written: [String: Int] = [:]
    func take(_ core: inout SignalClientCore) {
      while let effect = core.pollEffect() {
        switch effect {
        case .complete(let id, let error): results[id] = .some(error)
        case .write(.send(let request)): written[request.message] = request.timeToLive
        default: break
        }
      }
    }
    func wait(until end: MediaInstant, _ core: inout SignalClientCore) {
      while let next = core.nextTimeout, next <= end {
        now = max(now, next)
        core.handleTimeout(now: now)
        // The server is away for a while, and then is slow.
        if now < .zero + .seconds(13) { core.failed("away", now: now) }
        take(&core)
      }
      now = end
    }
    let loggedIn = SignalResponse.loggedIn(LoggedInResponse(uid: 1))
    core.logIn(uid: 1, token: "", completion: 0, now: now)
    core.opened()
    core.receive(loggedIn, now: now)
    core.closed(now: now)
    core.send("long", to: 2, timeToLive: .seconds(30), completion: 1, now: now)
    core.send("usual", to: 2, completion: 2, now: now)
    core.send("short", to: 2, timeToLive: .seconds(5), completion: 3, now: now)
    core.send("endless", to: 2, timeToLive: .seconds(100_000), completion: 4, now: now)
    take(&core)
    wait(until: .zero + .seconds(4), &core)
    #expect(results.keys.sorted() == [0])
    wait(until: .zero + .seconds(6), &core)
    #expect(results[3] == .some(.connectionLost) && results.count == 2)
    wait(until: .zero + .seconds(20), &core)
    #expect(results[2] == .some(.connectionLost) && results.count == 3)
    core.opened()
    core.receive(loggedIn, now: now)
    take(&core)
    // What is left of their time goes along.
    #expect(written == ["long": 10_000, "endless": 580_000])
  }
}
