import ChannelServer
import ControlWire
import Foundation
import TestSupport
import Testing

/// What WHEP players are told while they watch.
@Suite("Events of WHEP players", .timeLimit(.minutes(10)), .ownThread)
struct WebRTCEventTests {
  private let server: ChannelServer
  private let http: RawHTTP

  init() throws {
    server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    http = RawHTTP(port: server.boundHTTPPort)
  }

  /// Where a new player's events are, and the player itself.
  private func play() throws -> (session: String, events: String) {
    let response = http.offer("/whep/show?from=7", .offer("recvonly"))
    let session = try #require(response.headers["location"])
    let link = try #require(response.headers["link"])
    #expect(link.contains("<\(session)/sse>; rel=\"urn:ietf:params:whep:ext:core:server-sent-events\""))
    #expect(link.contains("events=\"active,inactive,tokenWillExpire\""))
    return (session, session + "/sse")
  }

  /// User 7 publishes.
  private func publish() -> ControlPeer {
    let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.channelPath)")
    let all = TrackFlags(audio: true, video: true)
    peer.send(
      .join(
        JoinRequest(
          channel: "show", uid: 7, role: .broadcaster, publish: all, subscribe: Subscription(everyone: all),
          ice: ICEParameters(usernameFragment: "abcd", password: "abcdefghijklmnopqrstuvwx"))))
    _ = peer.isJoined
    return peer
  }

  private func ask(_ events: String, after number: Int? = nil) -> RawHTTP.Response {
    http.request("GET", events, ["Accept: text/event-stream"] + (number.map { ["Last-Event-ID: \($0)"] } ?? []))
  }

  @Test("a player hears that the one it watches comes, goes and comes again, each once and in order")
  func comingAndGoing() async throws {
    let (session, events) = try play()
    let created = http.request("POST", events, ["Content-Type: application/json"], body: "[\"active\",\"inactive\"]")
    #expect(created.status == 201 && created.headers["location"] == events)
    // Asked before it happens: the answer waits.
    let early = Task.detached { ask(events) }
    let publisher = publish()
    let first = await early.value
    #expect(first.status == 200 && first.headers["content-type"] == "text/event-stream")
    #expect(first.body.contains("id: 1\nevent: active\ndata: {\"uid\":7,\"audio\":true,\"video\":true}\n\n"))
    publisher.send(.leave)
    #expect(publisher.has { $0.hasPrefix("closed") })
    let second = publish()
    let both = ask(events, after: 1).body
    let gone = try #require(both.firstRange(of: "id: 2\nevent: inactive\ndata: {\"uid\":7,\"reason\":0}\n\n"))
    let back = try #require(both.firstRange(of: "id: 3\nevent: active\n"))
    #expect(gone.upperBound <= back.lowerBound && !both.contains("id: 1\n"))
    // Who asks anew is told how things stand, whatever number it names.
    for body in [ask(events).body, ask(events, after: 2).body] {
      #expect(body.contains("id: 3\n") && !body.contains("id: 2\n"))
    }
    let late = Task.detached { ask(events, after: 99) }
    while http.request("DELETE", session).status != 200 { break }
    #expect([404, 410].contains(await late.value.status))
    #expect(ask(events).status == 404)
    second.close()
  }

  @Test("only a player has events, and only requests that make sense are answered")
  func refusals() throws {
    let (session, events) = try play()
    let publisher = try #require(http.offer("/whip/show", .offer()).headers["location"])
    #expect(ask(publisher + "/sse").status == 404)
    #expect(ask(session + "x/sse").status == 404)
    #expect(http.request("PUT", events, body: "").status == 405)
    #expect(http.request("POST", events, ["Content-Type: text/plain"], body: "[]").status == 415)
    for body in ["", "{}", "[1]", "[\"a\"", String(repeating: "[", count: 10_000)] {
      #expect(http.request("POST", events, ["Content-Type: application/json"], body: body).status == 400)
    }
    #expect(http.request("OPTIONS", events).status == 204)
    #expect(http.request("DELETE", events).status == 200)
  }
}
