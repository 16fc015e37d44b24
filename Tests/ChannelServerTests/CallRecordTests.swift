import CallSupervision
import ChannelServer
import ControlWire
import Foundation
import MediaBase
import Synchronization
import TestSupport
import Testing
import WebSocketIO

/// Calls as a running server sees them: by signalling, channels and HTTP.
@Suite("Records and supervision of calls by a server", .timeLimit(.minutes(10)), .ownThread)
struct CallRecordTests {
  private func start(
    _ change: (inout ChannelServerConfiguration) -> Void = { _ in }
  ) throws -> (server: ChannelServer, http: RawHTTP) {
    var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, workers: 2, development: true)
    change(&configuration)
    let server = ChannelServer(configuration: configuration)
    try server.start()
    return (server, RawHTTP(port: server.boundHTTPPort))
  }

  private func user(_ uid: UInt, of server: ChannelServer) -> ControlPeer {
    let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.signalPath)")
    peer.send(#"{"type":"login","version":1,"uid":\#(uid),"token":""}"#)
    #expect(peer.has { $0.contains("loggedIn") })
    return peer
  }

  private func say(_ peer: ControlPeer, _ action: Int, _ id: String, from: UInt, to: UInt, _ more: String = "") {
    let message =
      #"{\"message_action\":\#(action),\"message_version\":\"1.0\",\"fromUserId\":\#(from),\"callId\":\"\#(id)\"\#(more)}"#
    peer.send(#"{"type":"send","requestID":1,"to":\#(to),"message":"\#(message)"}"#)
  }

  private func join(_ uid: UInt, _ room: String, of server: ChannelServer) -> ControlPeer {
    let peer = ControlPeer("ws://127.0.0.1:\(server.boundHTTPPort)\(ControlProtocol.channelPath)")
    let flags = TrackFlags(audio: true, video: true)
    peer.send(
      .join(
        JoinRequest(
          channel: room, uid: uid, profile: .communication, role: .broadcaster, publish: flags,
          subscribe: Subscription(everyone: flags),
          ice: ICEParameters(usernameFragment: "abcd", password: "abcdefghijklmnopqrstuvwx"))))
    #expect(peer.gets { if case .joined = $0 { true } else { false } })
    return peer
  }

  /// Until the record is as expected: what it is made from comes on several ways.
  private func record(
    _ id: String, _ http: RawHTTP, where isRight: (CallRecord) -> Bool
  ) -> CallRecord? {
    for _ in 0..<1_000 {
      let answer = http.request("GET", "/v1/calls/\(id)")
      if let record = try? ControlMessageCoding.decode(CallRecord.self, from: answer.body), isRight(record) {
        return record
      }
      usleep(10_000)
    }
    return nil
  }

  @Test("a call is found by its id and by its users, with what they have reported")
  func story() throws {
    let (server, http) = try start()
    let (one, two) = (user(1, of: server), user(2, of: server))
    say(one, 0, "c1", from: 1, to: 2, #",\"fromRoomId\":\"r\""#)
    #expect(two.has { $0.contains("c1") })
    say(two, 2, "c1", from: 2, to: 1)
    #expect(one.has { $0.contains(#"message_action\":2"#) })
    one.send(#"{"type":"report","requestID":8,"callId":"c1","kind":"connected","costs":{"acceptCall":250}}"#)
    #expect(one.has { $0.contains(#""updated""#) && $0.contains("8") })
    two.send(#"{"type":"report","requestID":9,"callId":"unknown","kind":"ended"}"#)
    #expect(two.has { $0.contains("has no call unknown") })
    say(one, 4, "c1", from: 1, to: 2, #",\"hangupReason\":\"enough\""#)
    let record = try #require(record("c1", http) { $0.endTime != nil })
    #expect(record.caller == 1 && record.callee == 2 && record.room == "r" && record.type == .video)
    #expect(record.endReason == .hangup && record.endedBy == 1 && record.endDetail == "enough")
    #expect(record.costs == ["1": ["acceptCall": 250]])
    let times = [record.startTime, record.acceptTime ?? 0, record.connectTime ?? 0, record.endTime ?? 0]
    #expect(times == times.sorted() && times[0] > 1_600_000_000_000)

    say(one, 10, "c2", from: 1, to: 3, #",\"fromRoomId\":\"r\""#)
    #expect(self.record("c2", http) { $0.endReason == .unreachable && $0.type == .audio } != nil)
    func ids(_ query: String) -> [String] {
      struct List: Decodable { var calls: [CallRecord] }
      let body = http.request("GET", "/v1/calls?\(query)").body
      return (try? ControlMessageCoding.decode(List.self, from: body))?.calls.map(\.callID) ?? ["?"]
    }
    #expect(Set(ids("user=1")) == ["c1", "c2"] && ids("user=2") == ["c1"] && ids("user=9") == [])
    #expect(ids("limit=1").count == 1 && ids("").count == 2)
    withExtendedLifetime((one, two)) {}
  }

  @Test("what is not there or makes no sense is told in words")
  func badRequests() throws {
    let (server, http) = try start()
    #expect(http.request("GET", "/v1/calls/none").status == 404)
    #expect(http.request("GET", "/v1/calls/none").body == "There is no record of this call.\n")
    for query in ["limit=0", "limit=501", "limit=x", "limit=", "user=x", "user=-1"] {
      #expect(http.request("GET", "/v1/calls?\(query)").status == 400, "\(query)")
    }
    #expect(http.request("DELETE", "/v1/calls/none").status == 405)
    #expect(http.request("GET", "/v1/callsign").status == 404)
    withExtendedLifetime(server) {}
  }

  @Test("a call whose JSON begins with a space and whose key is written by escapes has its record")
  func oddlyWritten() throws {
    let (server, http) = try start()
    let (one, two) = (user(1, of: server), user(2, of: server))
    let text =
      #" {\"message\\u005faction\":0,\"message_version\":\"1.0\",\"fromUserId\":1,\"callId\":\"odd\",\"fromRoomId\":\"r\"}"#
    one.send(#"{"type":"send","requestID":1,"to":2,"message":"\#(text)"}"#)
    #expect(record("odd", http) { $0.caller == 1 && $0.callee == 2 } != nil)
    withExtendedLifetime((one, two)) {}
  }

  @Test("texts of other applications pass untouched and leave no record")
  func otherTexts() throws {
    let (server, http) = try start()
    let (one, two) = (user(1, of: server), user(2, of: server))
    let text = #"{\"message_action\":\"dance\",\"callId\":\"x\"}"#
    one.send(#"{"type":"send","requestID":1,"to":2,"message":"\#(text)"}"#)
    #expect(two.has { $0.contains("dance") })
    #expect(http.request("GET", "/v1/calls").body == #"{"calls":[]}"#)
    withExtendedLifetime(one) {}
  }

  @Test("a side that is gone from the channel is missed: the other hears of it on both ways, and ends the call")
  func supervision() throws {
    let seen = Mutex<[CallLedgerEvent]>([])
    let (server, http) = try start { configuration in
      configuration.calls.absenceTimeout = .milliseconds(300)
      configuration.callObservers = [{ event in seen.withLock { $0.append(event) } }]
    }
    let (one, two) = (user(1, of: server), user(2, of: server))
    say(one, 0, "c", from: 1, to: 2, #",\"fromRoomId\":\"room\""#)
    #expect(two.has { $0.contains("room") })
    let (oneThere, twoThere) = (join(1, "room", of: server), join(2, "room", of: server))
    say(two, 2, "c", from: 2, to: 1)
    #expect(record("c", http) { $0.connectTime != nil } != nil)
    // As when its program is killed: no leave, no hangup.
    twoThere.close()
    #expect(oneThere.gets { $0 == .userLeft(UserLeftResponse(uid: 2, reason: .dropped)) })
    #expect(oneThere.getsError(.banned))
    #expect(
      one.has { text in
        text.contains(#"message_action\":4"#) && text.contains("lost") && text.contains(#"fromUserId\":2"#)
          && text.contains(#""from":2"#)
          && !text.contains("messageId")
      })
    #expect(record("c", http) { $0.endTime == nil } != nil)
    say(one, 4, "c", from: 1, to: 2)
    let ended = record("c", http) { $0.endTime != nil }
    #expect(ended?.endReason == .lost && ended?.endedBy == 1)
    let changes = seen.withLock { $0 }.compactMap { if case .changed(_, let change) = $0 { change } else { nil } }
    #expect(changes == [.started, .accepted, .connected, .ended])
    withExtendedLifetime((one, two)) {}
  }

  @Test("a call that no record can be made of goes through, and is counted")
  func unrecorded() throws {
    let (server, http) = try start { $0.calls.maximumCallCountOfUser = 1 }
    let (one, two, three) = (user(1, of: server), user(2, of: server), user(3, of: server))
    say(one, 0, "c1", from: 1, to: 2, #",\"fromRoomId\":\"r\""#)
    #expect(two.has { $0.contains("c1") })
    #expect(http.request("GET", "/metrics").body.contains("\ngreenroom_unrecorded_calls_total 0\n"))
    say(one, 0, "c2", from: 1, to: 3, #",\"fromRoomId\":\"r\""#)
    #expect(three.has { $0.contains("c2") })
    #expect(http.request("GET", "/metrics").body.contains("\ngreenroom_unrecorded_calls_total 1\n"))
    #expect(record("c1", http) { $0.endTime == nil } != nil)
    #expect(http.request("GET", "/v1/calls/c2").status == 404)
    withExtendedLifetime((one, two)) {}
  }

  @Test("records in a file outlive the server; those that are too old go")
  func file() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "records-\(UUID().uuidString).db").path
    do {
      let (server, _) = try start { $0.callRecordFile = path }
      let one = user(1, of: server)
      say(one, 0, "kept", from: 1, to: 2, #",\"fromRoomId\":\"r\""#)
      #expect(one.has { $0.contains("1404") })
      server.stop()
    }
    let (server, http) = try start { $0.callRecordFile = path }
    #expect(record("kept", http) { $0.endReason == .unreachable } != nil)
    // Whoever takes the id for a call of its own changes nothing.
    let three = user(3, of: server)
    say(three, 0, "kept", from: 3, to: 4, #",\"fromRoomId\":\"r\""#)
    #expect(three.has { $0.contains("1404") })
    #expect(record("kept", http) { _ in true }?.caller == 1)
    do throws(ChannelServerError) {
      let bad = ChannelServer(
        configuration: {
          var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true)
          configuration.callRecordFile = "/nowhere/records.db"
          return configuration
        }())
      try bad.start()
      Issue.record("opened a file that cannot be")
    } catch { #expect(error.description.contains("Records of calls cannot be kept")) }
  }
}
