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
    #expect(
      world.latest <= world.timeToLive, "seed \(seed): a text came \(world.latest.milliseconds) ms after it was sent")
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
    #expect(world.latest <= world.timeToLive)
  }
}
