import ControlWire
import EngineCore
import MediaBase
import Testing

@Suite struct ReconnectingTests {
  @Test func `a server that is not there is reported once and tried again, ever more slowly`() {
    let bench = CoreBench()
    for _ in 0..<6 {
      bench.act { $0.controlClosed(.unreachable(message: "refused."), now: $1) }
      bench.run(for: .milliseconds(5_001))
    }
    #expect(bench.connectCount == 7)
    #expect(transcript(bench.events).prefix(3) == ["state 2,0", "error 14", "state 4,2"])
    #expect(transcript(bench.events).count { $0 == "error 14" } == 1)
  }

  @Test func `a closed socket means reconnecting, and joining again is a rejoin`() {
    let bench = CoreBench()
    bench.join(users: [CoreBench.user(1), CoreBench.user(2)])
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    #expect(transcript(bench.events).last == "state 4,2")
    bench.run(for: .milliseconds(300))
    #expect(bench.connectCount == 2)
    bench.act { $0.controlOpened(now: $1) }
    #expect(bench.joins.count == 2)
    #expect(bench.joins[0].ice != bench.joins[1].ice)
    bench.answerJoin(users: [CoreBench.user(2), CoreBench.user(3)])
    #expect(
      transcript(bench.events).suffix(4) == ["state 3,15", "rejoined 7", "user 1 offline 1", "user 3 joined"])
  }

  @Test func `with another address of this machine the user joins again at once, and media goes on meanwhile`() {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(1)])
    bench.publish(keyFrame: true)
    let before = bench.events.count
    bench.act { $0.clientAddressChanged(now: $1) }
    #expect(transcript(Array(bench.events.dropFirst(before))) == ["state 4,13"])
    #expect(bench.connectCount == 2)
    // Once more, before the first attempt has come to anything.
    bench.act { $0.clientAddressChanged(now: $1) }
    #expect(bench.connectCount == 3)
    bench.run(for: .seconds(1))
    let received = bench.receivedByServer.count
    bench.publish(keyFrame: false)
    bench.run(for: .milliseconds(100))
    #expect(bench.receivedByServer.count == received + 1)
    bench.act { $0.controlOpened(now: $1) }
    bench.answerJoin(users: [CoreBench.user(1)])
    // The new path takes one round trip of 20 ms, and the video goes on with a key frame.
    bench.run(for: .milliseconds(21))
    #expect(bench.isSendingVideo && bench.isSendingAudio)
    bench.publish(keyFrame: false)
    bench.publish(keyFrame: true)
    bench.run(for: .milliseconds(100))
    #expect(bench.receivedByServer.map(\.isKeyFrame) == [true])
    #expect(states(bench, after: before) == ["state 4,13", "state 3,15", "rejoined 7"])
    #expect(!transcript(bench.events).contains { $0.contains("offline") })
    bench.run(for: .seconds(20))
    #expect(states(bench, after: before).count == 3)
    bench.act { $0.leave(now: $1) }
    let attempts = bench.connectCount
    bench.act { $0.clientAddressChanged(now: $1) }
    #expect(bench.connectCount == attempts)
  }

  private func states(_ bench: CoreBench, after count: Int) -> [String] {
    transcript(Array(bench.events.dropFirst(count))).filter { $0.hasPrefix("state") || $0.hasPrefix("rejoined") }
  }

  @Test func `another address while the server is silent already is no second interruption`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    bench.isLinkUp = false
    bench.run(for: .seconds(6))
    bench.act { $0.clientAddressChanged(now: $1) }
    bench.act { $0.controlClosed(.unreachable(message: ""), now: $1) }
    bench.isLinkUp = true
    bench.act { $0.addressAdded(now: $1) }
    bench.join()
    bench.run(for: .seconds(20))
    #expect(states(bench, after: before) == ["state 4,2", "state 3,15", "rejoined 7"])
  }

  @Test func `a new address while the next attempt is waited for is tried at once, and otherwise changes nothing`() {
    let bench = CoreBench()
    for _ in 0..<5 {
      bench.act { $0.controlClosed(.unreachable(message: ""), now: $1) }
      bench.run(for: .milliseconds(5_001))
    }
    bench.act { $0.controlClosed(.unreachable(message: ""), now: $1) }
    let attempts = bench.connectCount
    bench.act { $0.addressAdded(now: $1) }
    #expect(bench.connectCount == attempts + 1)
    bench.act { $0.addressAdded(now: $1) }
    bench.joinWithMedia()
    let before = bench.events.count
    bench.act { $0.addressAdded(now: $1) }
    bench.act { $0.mediaSourceChanged(now: $1) }
    bench.run(for: .seconds(5))
    #expect(bench.connectCount == attempts + 1)
    #expect(states(bench, after: before).isEmpty)
  }

  @Test func `changes made while reconnecting are part of the rejoin`() {
    let bench = CoreBench()
    bench.join()
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    bench.act { $0.update(role: .audience, now: $1) }
    bench.run(for: .milliseconds(300))
    bench.act { $0.controlOpened(now: $1) }
    #expect(bench.joins.last?.role == .audience)
    #expect(bench.joins.last?.publish == TrackFlags.none)
  }

  @Test func `after ten seconds without success the connection counts as lost, and goes on trying`() {
    let bench = CoreBench()
    bench.join()
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    for _ in 0..<8 {
      bench.run(for: .milliseconds(2_000))
      bench.act { $0.controlClosed(.unreachable(message: ""), now: $1) }
    }
    let states = transcript(bench.events).filter { $0.hasPrefix("state") }
    #expect(states.suffix(2) == ["state 4,2", "state 4,16"])
    #expect(bench.connectCount > 3)
  }

  @Test func `after the last deadline it fails, stops trying, and can be left`() {
    var timing = ConnectionTiming()
    timing.giveUp = .milliseconds(30_000)
    let bench = CoreBench(timing: timing)
    for _ in 0..<100 {
      bench.act { $0.controlClosed(.unreachable(message: ""), now: $1) }
      bench.run(for: .milliseconds(1_000))
    }
    #expect(transcript(bench.events).last == "state 5,4")
    let attempts = bench.connectCount
    bench.run(for: .milliseconds(100_000))
    #expect(bench.connectCount == attempts)
    #expect(bench.nextTimeout == nil)
  }

  @Test func `a server that does not answer join is given up and tried again`() {
    let bench = CoreBench()
    bench.act { $0.controlOpened(now: $1) }
    bench.run(for: .milliseconds(5_100))
    #expect(transcript(bench.events).last == "state 4,2")
    bench.run(for: .milliseconds(1_000))
    #expect(bench.connectCount == 2)
  }

  @Test func `a media path that never opens makes the connection anew`() {
    let bench = CoreBench()
    bench.isLinkUp = false
    bench.join()
    bench.run(for: .milliseconds(10_100))
    #expect(transcript(bench.events).last == "state 4,2")
  }

  @Test func `a server that goes away in good order is joined again`() {
    let bench = CoreBench()
    bench.join()
    bench.respond(.removed(ErrorResponse(code: .shuttingDown, message: "restart")))
    #expect(transcript(bench.events).last == "state 4,2")
    bench.run(for: .milliseconds(300))
    #expect(bench.connectCount == 2)
  }

  @Test func `late words of an old socket change nothing`() {
    let bench = CoreBench()
    bench.join()
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    let before = bench.events.count
    bench.respond(.userJoined(CoreBench.user(4)))
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    bench.act { $0.controlOpened(now: $1) }
    #expect(bench.events.count == before)
  }
}
