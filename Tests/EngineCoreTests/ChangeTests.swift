import ControlWire
import EngineCore
import MediaBase
import Testing

/// What becomes of changes of role, token and publishing: granted, refused, or asked for while there is no connection.
@Suite struct ChangeTests {
  @Test func `a token alone is renewed without touching media`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    bench.act { $0.update(token: "new", now: $1) }
    bench.confirmUpdates()
    #expect(bench.updates == [UpdateRequest(requestID: 1, token: "new")])
    #expect(transcript(Array(bench.events.dropFirst(before))) == ["token new renewed 0"])
  }

  @Test func `a token that is refused leaves the old one in use, and is told of with its reason`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    for (number, code, result) in [
      (1, ControlErrorCode.tokenExpired, 2), (2, .invalidToken, 3), (3, .invalidAppID, 5), (4, .resourceLimited, 1),
    ] {
      bench.act { $0.update(token: "new \(number)", now: $1) }
      bench.respond(.error(ErrorResponse(code: code, message: "No.", requestID: number)))
      #expect(transcript(Array(bench.events.dropFirst(before))).last == "token new \(number) renewed \(result)")
    }
    bench.act { $0.update(token: "new 5", now: $1) }
    bench.respond(
      .error(ErrorResponse(code: .invalidToken, message: "No.", requestID: 5, isTokenOfOtherChannel: true)))
    #expect(transcript(Array(bench.events.suffix(2))) == ["error 110", "token new 5 renewed 4"])
    // Nothing is sent again, and a rejoin shows the old one.
    #expect(bench.updates.count == 5)
    bench.rejoin()
    #expect(bench.joins.last?.token == "")
  }

  @Test func `whether data may be sent is told as the token, a better one and the server's refusal say`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    bench.respond(.error(ErrorResponse(code: .noPermission, message: "No.")))
    bench.act { $0.update(token: "new", now: $1) }
    bench.respond(.updated(UpdatedResponse(requestID: 1)))
    bench.act { $0.update(token: "worse", now: $1) }
    bench.respond(.updated(UpdatedResponse(requestID: 2, maySendData: false)))
    bench.rejoin()
    let told = transcript(Array(bench.events.dropFirst(before))).filter {
      $0.hasPrefix("data") || $0.hasPrefix("error")
    }
    #expect(told == ["error 9", "data denied", "data allowed", "data denied", "data allowed"])
  }

  @Test func `of two tokens at once the older one is superseded`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    bench.act { $0.update(token: "one", now: $1) }
    bench.act { $0.update(token: "two", now: $1) }
    bench.confirmUpdates()
    #expect(
      transcript(Array(bench.events.dropFirst(before))) == ["token one renewed 6", "token two renewed 0"])
  }

  @Test func `the token in use is shown again and answered, once for all who ask meanwhile`() {
    let bench = CoreBench()
    bench.act { $0.renew(token: "", now: $1) }
    bench.joinWithMedia()
    #expect(bench.updates == [UpdateRequest(requestID: 1, token: "")])
    bench.confirmUpdates()
    bench.act { $0.update(token: "one", now: $1) }
    bench.act { $0.renew(token: "one", now: $1) }
    bench.confirmUpdates()
    let before = bench.events.count
    bench.act { $0.renew(token: "one", now: $1) }
    bench.act { $0.renew(token: "one", now: $1) }
    bench.act { $0.update(subscribe: Subscription(everyone: .none), now: $1) }
    #expect(
      Array(bench.updates.dropFirst()) == [
        UpdateRequest(requestID: 2, token: "one"), UpdateRequest(requestID: 3, token: "one"),
        UpdateRequest(requestID: 4, subscribe: Subscription(everyone: .none)),
      ])
    bench.respond(.error(ErrorResponse(code: .tokenExpired, message: "No.", requestID: 3)))
    #expect(transcript(Array(bench.events.dropFirst(before))) == ["error 109", "token one renewed 2"])
    bench.act { $0.renew(token: "two", now: $1) }
    #expect(bench.updates.last == UpdateRequest(requestID: 5, token: "two"))
  }

  @Test func `a refused update is reported and taken back`() {
    let bench = CoreBench(role: .audience)
    bench.join()
    bench.act { $0.update(role: .broadcaster, now: $1) }
    bench.respond(.error(ErrorResponse(code: .invalidToken, message: "no", requestID: 1)))
    #expect(transcript(bench.events).suffix(2) == ["error 110", "role failed 2, still 2"])
    #expect(bench.updates.count == 1)
    bench.act { $0.update(subscribe: Subscription(everyone: .none), now: $1) }
    #expect(bench.updates.last == UpdateRequest(requestID: 2, subscribe: Subscription(everyone: .none)))
  }

  @Test func `a token goes alone and first, and takes nothing with it when it is refused`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.act {
      $0.update(
        publish: TrackFlags(audio: true, video: false), subscribe: Subscription(everyone: .none), token: "bad", now: $1)
    }
    #expect(
      bench.updates == [
        UpdateRequest(requestID: 1, token: "bad"),
        UpdateRequest(
          requestID: 2, publish: TrackFlags(audio: true, video: false), subscribe: Subscription(everyone: .none)),
      ])
    bench.respond(.error(ErrorResponse(code: .invalidToken, message: "No.", requestID: 1)))
    bench.respond(.updated(UpdatedResponse(requestID: 2)))
    #expect(!bench.isSendingVideo)
    #expect(bench.updates.count == 2)
    #expect(transcript(bench.events).suffix(2) == ["error 110", "token bad renewed 3"])
  }

  @Test func `a refusal while another change is under way brings no old token back`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    bench.act { $0.update(token: "bad", now: $1) }
    bench.act { $0.update(publish: TrackFlags(audio: true, video: false), now: $1) }
    bench.respond(.error(ErrorResponse(code: .invalidToken, message: "No.", requestID: 1)))
    bench.confirmUpdates()
    #expect(bench.updates.compactMap(\.token) == ["bad"])
    #expect(transcript(Array(bench.events.dropFirst(before))) == ["error 110", "token bad renewed 3"])
  }

  @Test func `what is asked for beside a refused role is asked for again without it`() {
    let bench = CoreBench(role: .audience)
    bench.join()
    bench.act { $0.update(role: .broadcaster, subscribe: Subscription(everyone: .none), now: $1) }
    bench.respond(.error(ErrorResponse(code: .roleNotAuthorized, message: "no", requestID: 1)))
    #expect(bench.updates.last == UpdateRequest(requestID: 2, subscribe: Subscription(everyone: .none)))
    #expect(transcript(bench.events).suffix(2) == ["error 119", "role failed 2, still 2"])
  }

  @Test func `what was muted stays so, even if the server refuses to hear of it`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    bench.act { $0.update(publish: TrackFlags(audio: true, video: false), now: $1) }
    bench.respond(.error(ErrorResponse(code: .refused, message: "No.", requestID: 1)))
    #expect(!bench.isSendingVideo)
    #expect(bench.isSendingAudio)
    #expect(bench.updates.count == 1)
    bench.act { $0.update(publish: TrackFlags(audio: true, video: true), now: $1) }
    bench.confirmUpdates()
    #expect(bench.isSendingVideo)
  }

  @Test(arguments: [false, true])
  func `a role that is asked for while joining is told of`(isSent: Bool) {
    let bench = CoreBench(role: .audience)
    if isSent { bench.act { $0.controlOpened(now: $1) } }
    bench.act { $0.update(role: .broadcaster, token: "new", now: $1) }
    if !isSent { bench.act { $0.controlOpened(now: $1) } }
    bench.answerJoin()
    bench.confirmUpdates()
    #expect(
      transcript(bench.events) == ["state 2,0", "state 3,1", "joined 7", "token new renewed 0", "role 2 to 1"])
  }

  @Test func `changes that the server has not answered when the connection breaks are answered by the next`() {
    let bench = CoreBench(role: .audience)
    bench.joinWithMedia()
    let before = bench.events.count
    bench.act { $0.update(role: .broadcaster, token: "one", now: $1) }
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    bench.act { $0.update(token: "two", now: $1) }
    bench.act { $0.update(token: "three", now: $1) }
    bench.run(for: .milliseconds(300))
    bench.join()
    #expect(bench.joins.last?.token == "three")
    #expect(bench.joins.last?.role == .broadcaster)
    #expect(
      transcript(Array(bench.events.dropFirst(before))).filter { $0.hasPrefix("token") || $0.hasPrefix("role") } == [
        "token two renewed 6", "token one renewed 6", "token three renewed 0", "role 2 to 1",
      ])
  }

  @Test(arguments: [false, true])
  func `who may not publish joins as audience, is told so, and publishes with a better token`(isRejoin: Bool) {
    let bench = CoreBench(role: isRejoin ? .audience : .broadcaster)
    if isRejoin {
      bench.join()
      bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
      bench.act { $0.update(role: .broadcaster, now: $1) }
      bench.run(for: .milliseconds(300))
    }
    let (events, joins) = (bench.events.count, bench.joins.count)
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(ErrorResponse(code: .roleNotAuthorized, message: "no")))
    bench.join()
    #expect(bench.joins.dropFirst(joins).map(\.role) == [.broadcaster, .audience])
    #expect(bench.joins.last?.publish == TrackFlags.none)
    let entered = isRejoin ? ["state 3,15", "rejoined 7"] : ["state 3,1", "joined 7"]
    let after = transcript(Array(bench.events.dropFirst(events))).filter { $0 != "state 2,0" }
    #expect(after == ["error 119", "role failed 2, still 2"] + entered)
    bench.act { $0.update(role: .broadcaster, token: "publisher", now: $1) }
    bench.confirmUpdates()
    bench.run(for: .milliseconds(200))
    #expect(bench.isSendingVideo)
    #expect(transcript(bench.events).contains("role 2 to 1"))
  }

  @Test func `a bad token that is given while reconnecting is told of, and the old one shown again`() {
    let bench = CoreBench()
    bench.joinWithMedia()
    let before = bench.events.count
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    bench.act { $0.update(token: "bad", now: $1) }
    bench.run(for: .milliseconds(300))
    bench.act { $0.controlOpened(now: $1) }
    #expect(bench.joins.last?.token == "bad")
    bench.respond(.error(ErrorResponse(code: .tokenExpired, message: "old")))
    bench.join()
    #expect(bench.joins.last?.token == "")
    #expect(
      transcript(Array(bench.events.dropFirst(before))).prefix(5) == [
        "state 4,2", "error 109", "token bad renewed 2", "state 3,15", "rejoined 7",
      ])
    // Refused as well, there is nothing more to try.
    bench.act { $0.controlClosed(.closed(message: ""), now: $1) }
    bench.run(for: .milliseconds(300))
    bench.act { $0.controlOpened(now: $1) }
    bench.respond(.error(ErrorResponse(code: .tokenExpired, message: "old")))
    #expect(transcript(bench.events).suffix(3) == ["token wanted", "error 109", "state 5,9"])
  }

  @Test func `a token that comes while the one before is refused takes its place`() {
    let bench = CoreBench()
    bench.act { $0.controlOpened(now: $1) }
    bench.act { $0.update(token: "good", now: $1) }
    bench.respond(.error(ErrorResponse(code: .invalidToken, message: "no")))
    bench.join()
    #expect(bench.joins.map(\.token) == ["", "good"])
    #expect(transcript(bench.events).suffix(3) == ["state 3,1", "joined 7", "token good renewed 0"])
  }
}
