import ControlWire
import EngineCore
import MediaBase
import Testing

@Suite struct JoiningTests {
  @Test func `joining reports connecting, connected, joined, then the users who are there`() {
    let bench = CoreBench()
    #expect(bench.connectCount == 1)
    bench.join(users: [CoreBench.user(1), CoreBench.user(2)])
    #expect(
      transcript(bench.events) == ["state 2,0", "state 3,1", "joined 7", "user 1 joined", "user 2 joined"])
    #expect(bench.joins.map(\.channel) == ["show"])
    #expect(bench.joins.map(\.uid) == [7])
  }

  @Test func `updates before the socket opens become part of join`() {
    let bench = CoreBench(publish: .none)
    bench.act { $0.update(publish: TrackFlags(audio: true, video: true), now: $1) }
    bench.act { $0.update(subscribe: Subscription(everyone: .none), now: $1) }
    bench.act { $0.controlOpened(now: $1) }
    #expect(bench.joins.last?.publish == TrackFlags(audio: true, video: true))
    #expect(bench.joins.last?.subscribe == Subscription(everyone: .none))
    bench.answerJoin()
    #expect(bench.updates.isEmpty)
  }

  @Test func `updates while join is under way follow it as one request`() {
    let bench = CoreBench(publish: .none, subscribe: Subscription(everyone: .none))
    bench.act { $0.controlOpened(now: $1) }
    bench.act { $0.update(publish: TrackFlags(audio: true, video: true), now: $1) }
    bench.act { $0.update(subscribe: Subscription(everyone: TrackFlags(audio: true, video: false)), now: $1) }
    #expect(bench.updates.isEmpty)
    bench.answerJoin()
    #expect(bench.updates.count == 1)
    #expect(bench.updates.first?.publish == TrackFlags(audio: true, video: true))
    #expect(bench.updates.first?.subscribe?.everyone == TrackFlags(audio: true, video: false))
    #expect(bench.updates.first?.role == nil)
  }

  @Test func `an update that changes nothing sends nothing`() {
    let bench = CoreBench()
    bench.join()
    bench.act { $0.update(publish: TrackFlags(audio: true, video: true), token: "", now: $1) }
    #expect(bench.updates.isEmpty)
  }

  @Test func `a token that ends is told of in time, and then asked for`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    bench.respond(.tokenWillExpire(TokenExpiryResponse(remainingMilliseconds: 30_000)))
    bench.respond(.removed(ErrorResponse(code: .tokenExpired, message: "Over.")))
    let after = transcript(Array(bench.events.dropFirst(before)))
    #expect(after == ["token  ends", "token wanted", "error 109", "state 5,9"])
    #expect(bench.hasEnded)
  }

  @Test func `an audience's publish flags are kept but not sent until it is promoted`() {
    let bench = CoreBench(role: .audience)
    bench.join()
    #expect(bench.joins.last?.publish == TrackFlags.none)
    bench.act { $0.update(role: .broadcaster, now: $1) }
    #expect(
      bench.updates == [
        UpdateRequest(requestID: 1, role: .broadcaster, publish: TrackFlags(audio: true, video: true))
      ])
    bench.confirmUpdates()
    #expect(transcript(bench.events).last == "role 2 to 1")
  }

  @Test func `in a communication channel the role does not matter for publishing`() {
    let bench = CoreBench(role: .audience, profile: .communication)
    bench.join()
    #expect(bench.joins.last?.publish == TrackFlags(audio: true, video: true))
  }

  @Test(arguments: [
    (ControlErrorCode.invalidChannelName, 102, 7), (.invalidToken, 110, 8), (.tokenExpired, 109, 9),
    (.invalidAppID, 101, 6), (.banned, 123, 3), (.invalidUID, 121, 10), (.resourceLimited, 22, 10),
    (.unsupportedVersion, 4, 10),
  ])
  func `a refused join fails for good and says why`(code: ControlErrorCode, error: Int, reason: Int) {
    let bench = CoreBench()
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(ErrorResponse(code: code, message: "no")))
    let asked = code == .tokenExpired ? ["token wanted"] : []
    #expect(transcript(bench.events) == ["state 2,0"] + asked + ["error \(error)", "state 5,\(reason)"])
    bench.run(for: .milliseconds(60_000))
    #expect(bench.connectCount == 1)
    #expect(bench.hasEnded)
  }

  @Test(arguments: [
    (ControlErrorCode.banned, 123, 3), (.sameUIDLogin, 20, 19), (.tokenExpired, 109, 9),
  ])
  func `being put out fails for good and says why`(code: ControlErrorCode, error: Int, reason: Int) {
    let bench = CoreBench()
    bench.join()
    bench.respond(.removed(ErrorResponse(code: code, message: "out")))
    #expect(transcript(bench.events).suffix(2) == ["error \(error)", "state 5,\(reason)"])
  }

  @Test func `leaving says so, closes the socket, and reports left once`() {
    let bench = CoreBench()
    bench.join()
    bench.act { $0.leave(now: $1) }
    bench.act { $0.leave(now: $1) }
    #expect(transcript(bench.events).suffix(2) == ["state 1,5", "left"])
    #expect(transcript(bench.events).count { $0 == "left" } == 1)
    guard case .close? = bench.commands.last, case .send(.leave)? = bench.commands.dropLast().last else {
      Issue.record("leave and close expected, got \(bench.commands)")
      return
    }
    #expect(bench.nextTimeout == nil)
  }

  @Test func `leaving before the socket is open only closes it`() {
    let bench = CoreBench()
    bench.act { $0.leave(now: $1) }
    #expect(bench.joins.isEmpty)
    #expect(transcript(bench.events) == ["state 2,0", "state 1,5", "left"])
    bench.act { $0.controlOpened(now: $1) }
    #expect(bench.joins.isEmpty)
  }

  @Test func `a failed connection can be left`() {
    let bench = CoreBench()
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(ErrorResponse(code: .banned, message: "no")))
    bench.act { $0.leave(now: $1) }
    #expect(transcript(bench.events).suffix(2) == ["state 1,5", "left"])
  }

  @Test func `an answer that cannot be used is not trusted`() {
    let bench = CoreBench()
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(
      .joined(
        JoinedResponse(
          uid: 7, ice: ICEParameters(usernameFragment: "a", password: "b"), candidates: [],
          srtp: SRTPParameters(clientKey: "zz", serverKey: "zz"), ssrcs: CoreBench.ownSSRCs, users: [])))
    #expect(transcript(bench.events) == ["state 2,0", "error 14", "state 4,2"])
  }
}
