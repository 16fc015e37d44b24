import ControlWire
import EngineCore
import MediaBase
import Testing

/// Troubles that end by themselves are told with their numbers.
@Suite struct WarningTests {
  @Test func `a server that cannot be reached in time is 104, one that does not let in is 106`() {
    let bench = CoreBench()
    bench.run(for: .milliseconds(4_900))
    #expect(warnings(bench.events) == [])
    bench.run(for: .milliseconds(200))
    #expect(warnings(bench.events) == [104])
    bench.run(for: .milliseconds(400))
    bench.act { $0.controlOpened(now: $1) }
    bench.run(for: .milliseconds(5_100))
    #expect(warnings(bench.events) == [104, 106])
  }

  @Test func `a media path that does not open is 106`() {
    let bench = CoreBench()
    bench.isLinkUp = false
    bench.join()
    bench.run(for: .milliseconds(10_100))
    #expect(warnings(bench.events) == [106])
  }

  @Test func `a control socket that does not open, and one that breaks, are 134`() {
    let bench = CoreBench()
    bench.act { $0.controlClosed(.unreachable(message: "refused."), now: $1) }
    #expect(warnings(bench.events) == [134])
    bench.run(for: .milliseconds(300))
    bench.join()
    bench.act { $0.controlClosed(.closed(message: "gone."), now: $1) }
    #expect(warnings(bench.events) == [134, 134])
  }

  @Test func `a server that goes out of service is 122`() {
    let bench = CoreBench()
    bench.join()
    bench.respond(.removed(ErrorResponse(code: .shuttingDown, message: "restart")))
    #expect(warnings(bench.events) == [122])
  }

  @Test func `a path from which nothing comes any more is 131, a short silence is not`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.isLinkUp = false
    bench.run(for: .seconds(6))
    #expect(warnings(bench.events) == [])
    bench.run(for: .seconds(40))
    #expect(warnings(bench.events).first == 131)
  }

  @Test func `another address of this machine is 132, once for control socket and media path`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.act { $0.mediaSourceChanged(now: $1) }
    bench.run(for: .milliseconds(500))
    bench.act { $0.clientAddressChanged(now: $1) }
    #expect(warnings(bench.events) == [132])
    bench.join()
    bench.run(for: .seconds(10))
    bench.act { $0.mediaSourceChanged(now: $1) }
    #expect(warnings(bench.events) == [132, 132])
  }

  @Test func `a change of role that the server does not answer to in time is 118`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.act { $0.update(role: .audience, now: $1) }
    bench.run(for: .milliseconds(4_900))
    bench.confirmUpdates()
    bench.run(for: .seconds(10))
    #expect(warnings(bench.events) == [])
    bench.act { $0.update(role: .broadcaster, now: $1) }
    bench.run(for: .milliseconds(5_100))
    #expect(warnings(bench.events) == [118])
    bench.confirmUpdates()
    bench.run(for: .seconds(10))
    #expect(warnings(bench.events) == [118])
    #expect(transcript(bench.events).contains("role 2 to 1"))
  }

  @Test func `who may not join as broadcaster joins as audience with 107, with the token before with 121`() {
    let bench = CoreBench()
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(ErrorResponse(code: .roleNotAuthorized, message: "no")))
    #expect(warnings(bench.events) == [107])
    bench.join()
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    bench.act { $0.update(token: "new", now: $1) }
    bench.run(for: .milliseconds(300))
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(ErrorResponse(code: .invalidToken, message: "no")))
    #expect(warnings(bench.events) == [107, 134, 121])
  }
}
