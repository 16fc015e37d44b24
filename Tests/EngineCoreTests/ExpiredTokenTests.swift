import ControlWire
import EngineCore
import MediaBase
import Testing

/// What becomes of a connection whose token has run out.
@Suite struct ExpiredTokenTests {
  private let over = ErrorResponse(code: .tokenExpired, message: "Over.")

  @Test func `another token brings a user back whose own has run out, as it was and with what has changed since`() {
    let bench = CoreBench()
    bench.joinWithMedia(users: [CoreBench.user(3)])
    bench.respond(.removed(over))
    bench.act { $0.update(publish: TrackFlags(audio: true, video: false), now: $1) }
    bench.run(for: .seconds(60))
    #expect(bench.hasEnded && bench.connectCount == 1)
    let before = bench.events.count
    bench.act { $0.update(token: "new", now: $1) }
    #expect(bench.connectCount == 2)
    bench.join(users: [CoreBench.user(3)])
    let join = bench.joins.last
    #expect(join?.token == "new" && join?.uid == 7 && join?.role == .broadcaster)
    #expect(join?.publish == TrackFlags(audio: true, video: false))
    let events = transcript(Array(bench.events.dropFirst(before)))
    #expect(Array(events.prefix(4)) == ["state 2,12", "state 3,15", "rejoined 7", "token new renewed 0"], "\(events)")
    #expect(events.contains("user 3 joined"))
  }

  @Test func `one who was never in is let in with another token`() {
    let bench = CoreBench()
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(over))
    bench.act { $0.renew(token: "new", now: $1) }
    bench.join()
    #expect(transcript(bench.events).suffix(4).contains("joined 7"))
    #expect(bench.joins.last?.token == "new")
  }

  @Test func `a token that is refused then is told of with its reason, and another one is asked for`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.respond(.removed(over))
    let before = bench.events.count
    bench.act { $0.renew(token: "bad", now: $1) }
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(ErrorResponse(code: .invalidToken, message: "No.")))
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(over))
    let events = transcript(Array(bench.events.dropFirst(before)))
    #expect(
      events == ["state 2,12", "error 110", "token bad renewed 3", "token wanted", "error 109", "state 5,9"])
    bench.act { $0.renew(token: "new", now: $1) }
    bench.join()
    #expect(transcript(bench.events).contains("token new renewed 0"))
  }

  @Test func `the token that has run out is answered when it is given again`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.respond(.removed(over))
    let before = bench.events.count
    bench.act { $0.renew(token: "", now: $1) }
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(over))
    let events = transcript(Array(bench.events.dropFirst(before)))
    #expect(events == ["state 2,12", "token  renewed 2", "token wanted", "error 109", "state 5,9"])
  }

  @Test func `who has left, or was put out for something else, is not brought back by a token`() {
    for code in [nil, ControlErrorCode.banned, .sameUIDLogin] {
      let bench = CoreBench()
      bench.joinWithMedia()
      bench.respond(.removed(ErrorResponse(code: code ?? .tokenExpired, message: "Out.")))
      if code == nil { bench.act { $0.leave(now: $1) } }
      let before = bench.events.count
      bench.act { $0.renew(token: "new", now: $1) }
      bench.act { $0.update(token: "newer", now: $1) }
      #expect(bench.events.count == before && bench.connectCount == 1 && bench.hasEnded)
    }
  }
}
