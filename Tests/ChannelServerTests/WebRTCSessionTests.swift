import Glibc
import LinuxIO
import MediaBase
import TestSupport
import Testing
import WebSocketIO

@testable import ChannelServer

/// What WHIP and WHEP sessions may ask for, and how they end.
@Suite("WHIP and WHEP sessions", .timeLimit(.minutes(10)), .ownThread)
struct WebRTCSessionTests {
  private let server: ChannelServer
  private let http: RawHTTP

  init() throws {
    (server, http) = try Self.start { configuration in
      configuration.maximumConnectionCount = 40
      configuration.maximumSessionCountPerAddress = 30
    }
  }

  private static func start(_ limit: (inout ChannelServerConfiguration) -> Void) throws -> (ChannelServer, RawHTTP) {
    var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true)
    limit(&configuration)
    let server = ChannelServer(configuration: configuration)
    try server.start()
    return (server, RawHTTP(port: server.boundHTTPPort))
  }

  @Test("channels of any allowed name are reached percent-encoded, and sessions at the address given")
  func channelNames() throws {
    for name in ["a%20b", "%23%25%3F%26", "x%2By+z", "50%25", "%41bc", "a.b=c", "~%5B%7C%5D"] {
      let location = try #require(http.offer("/whip/\(name)", .offer()).headers["location"])
      #expect(location.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !location.contains("#"))
      #expect(http.request("DELETE", location).status == 200)
    }
    let long = String(repeating: "x", count: 64)
    for name in ["%C3%A4", "%FF", "a%0Ab", "%22", "%5C", long] {
      #expect(http.offer("/whip/\(name)", .offer()).status == 400)
    }
    for name in ["%00", "a%2Fb/c/d", "%zz", "%"] {
      #expect((400..<500).contains(http.offer("/whip/\(name)", .offer()).status))
    }
  }

  @Test("uids that are none are refused, others are told")
  func uids() {
    for uid in ["0", "-1", "4294967296", "99999999999999999999", "x", "", "1.5", "%F0%9F%98%80"] {
      #expect(http.offer("/whip/show?uid=\(uid)", .offer()).status == 400)
      #expect(http.offer("/whep/show?from=\(uid)", .offer("recvonly")).status == 400)
    }
    #expect(http.offer("/whip/show?uid=4294967295", .offer()).headers["greenroom-uid"] == "4294967295")
    let given = http.offer("/whip/show", .offer()).headers["greenroom-uid"].flatMap { UInt32($0) }
    #expect(given ?? 0 > 0)
  }

  @Test("queries that could be read in two ways are refused, on every path")
  func hostileQueries() {
    for query in [
      "uid=1%00", "uid=%00", "uid=1%00&from=2", "uid=1&uid=2", "uid=%zz", "uid=%4", "uid=%", "%00=1", "uid=%FF",
      "from=%C3%28", "profile=1%0A", "uid=1%0D%0AX:y", "x=%7F",
    ] {
      for (kind, direction) in [("whip", "sendonly"), ("whep", "recvonly")] {
        let response = http.offer("/\(kind)/show?\(query)", .offer(direction))
        #expect(response.status == 400, "\(query)")
      }
      #expect((400..<500).contains(http.request("GET", "/v1/channels?\(query)").status))
    }
    #expect(http.offer("/whip/show%00x", .offer()).status >= 400)
    #expect(http.offer("/whip/show?&uid=%31&&unknown=%C3%A4+b&", .offer()).headers["greenroom-uid"] == "1")
    #expect(http.offer("/whip/show?", .offer()).status == 201)
  }

  @Test("what is rejected of an offer is told beside the answer, whatever the client calls it")
  func rejections() {
    let session = http.offer("/whip/show", .offer())
    #expect(session.status == 201 && session.headers["greenroom-rejected"] == nil)
    let offer = String.offer().replacing("VP8/90000", with: "H264/90000").replacing("a=mid:1", with: "a=mid:b\u{E4}d")
    let partly = http.offer("/whip/show", offer)
    #expect(partly.status == 201)
    #expect(partly.headers["greenroom-rejected"]?.contains("no VP8") == true)
    #expect(partly.headers["access-control-expose-headers"]?.contains("Greenroom-Rejected") == true)
    let none = http.offer("/whip/show", offer.replacing("opus/48000/2", with: "PCMU/8000"))
    #expect(none.status == 400 && none.body.contains("neither Opus"))
  }

  @Test("a thousand sessions that begin and end leave nothing behind")
  func coming() throws {
    for number in 0..<1_000 {
      let kind = number % 2 == 0 ? "whip" : "whep"
      let session = http.offer("/\(kind)/show", .offer(number % 2 == 0 ? "sendonly" : "recvonly"))
      #expect(session.status == 201)
      #expect(http.request("DELETE", try #require(session.headers["location"])).status == 200)
    }
    var metrics = ""
    for _ in 0..<500 where !metrics.contains("greenroom_users 0") { metrics = http.request("GET", "/metrics").body }
    for name in ["users", "channels", "connections"] { #expect(metrics.contains("\ngreenroom_\(name) 0\n"), "\(name)") }
  }

  @Test("of two sessions with one uid the newer stays, whatever their kinds")
  func sameUID() throws {
    let first = try #require(http.offer("/whip/show?uid=7", .offer()).headers["location"])
    let second = try #require(http.offer("/whip/show?uid=7", .offer()).headers["location"])
    #expect(http.request("DELETE", first).status == 404)
    let told = http.patch(first, "a=ice-ufrag:abcd\r\na=ice-pwd:0123456789abcdefghijkl\r\n", match: "*")
    #expect(told.status == 404 && told.headers["greenroom-error"] == "1019")
    #expect(told.body.hasPrefix("The same uid has joined from elsewhere"))
    #expect(told.headers["access-control-expose-headers"]?.contains("Greenroom-Error") == true)
    #expect(http.patch(first.replacing("whip", with: "whep"), "", match: "*").headers["greenroom-error"] == nil)
    let third = try #require(http.offer("/whep/show?uid=7", .offer("recvonly")).headers["location"])
    #expect(http.request("DELETE", second).status == 404)
    #expect(http.request("DELETE", third).status == 200)
  }

  @Test("a PATCH must say which ICE session it means (RFC 9725 section 4.3.1)")
  func patched() throws {
    let session = http.offer("/whip/show", .offer())
    let location = try #require(session.headers["location"])
    let tag = try #require(session.headers["etag"])
    let candidate = "a=candidate:1 1 udp 2113937151 192.0.2.1 50123 typ host"
    let fragment =
      "a=ice-ufrag:abcd\r\na=ice-pwd:0123456789abcdefghijkl\r\nm=audio 9 RTP/AVP 0\r\na=mid:0\r\n\(candidate)\r\n"
    #expect(http.patch(location, fragment, match: nil).status == 428)
    #expect(http.patch(location, fragment, match: "\"other\"").status == 412)
    #expect(http.patch(location, fragment, match: tag.replacing("\"", with: "")).status == 412)
    #expect(http.patch(location, fragment, match: "W/\(tag)").status == 412)
    #expect(http.patch(location, fragment, match: tag).status == 204)
    #expect(http.patch(location, fragment, match: "\"other\", \(tag)").status == 204)
    let wrongType = http.request(
      "PATCH", location, ["Content-Type: application/sdp", "If-Match: \(tag)"], body: fragment)
    #expect(wrongType.status == 415)
    #expect(http.patch(location, "nonsense\r\n", match: tag).status == 400)
  }

  @Test("an ICE restart gives new credentials and a new tag, and the old tag is past (RFC 9725 section 4.3.3)")
  func restarted() throws {
    let session = http.offer("/whip/show", .offer())
    let location = try #require(session.headers["location"])
    var tags = [try #require(session.headers["etag"])]
    func fragment(_ name: String) -> String { "a=ice-ufrag:\(name)\r\na=ice-pwd:0123456789abcdefghijkl\r\n" }
    // By `*`, again because the answer was lost, and by the present tag.
    for (name, match) in [("new1", "*"), ("new1", "*"), ("new2", "")] {
      let response = http.patch(location, fragment(name), match: match.isEmpty ? tags[tags.count - 1] : match)
      #expect(response.status == 200)
      #expect(response.headers["content-type"] == "application/trickle-ice-sdpfrag")
      #expect(response.headers["access-control-expose-headers"] == "ETag")
      for part in ["a=ice-lite\r\n", "a=ice-pwd:", "a=candidate:", "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n"] {
        #expect(response.body.contains(part))
      }
      let tag = response.headers["etag"] ?? ""
      #expect(!tags.contains(tag) && response.body.contains("a=ice-ufrag:\(tag.replacing("\"", with: ""))\r\n"))
      #expect(http.patch(location, "a=end-of-candidates\r\n", match: tags[tags.count - 1]).status == 412)
      #expect(http.patch(location, fragment(name) + "a=end-of-candidates\r\n", match: tag).status == 204)
      tags.append(tag)
    }
    for bad in ["a=ice-ufrag:new3\r\n", "a=ice-ufrag:x\r\na=ice-pwd:0123456789abcdefghijkl\r\n", fragment("ne w")] {
      #expect(http.patch(location, bad, match: "*").status == 400)
    }
    #expect(http.request("DELETE", location).status == 200)
    #expect(http.patch(location, fragment("new4"), match: "*").status == 404)
  }

  @Test("what a publisher mutes is taken where it makes sense, and only of publishers")
  func mutes() throws {
    let publisher = try #require(http.offer("/whip/show?uid=7", .offer()).headers["location"])
    let player = try #require(http.offer("/whep/show?from=7", .offer("recvonly")).headers["location"])
    let json = ["Content-Type: application/json"]
    for body in ["{\"x\":1,\"muteVideo\":false}", "{\"muteAudio\":true}", "{\"muteAudio\":false,\"muteVideo\":true}"] {
      #expect(http.request("POST", publisher + "/media", json, body: body).status == 200)
    }
    for body in [
      "", "[]", "{}", "{\"x\":1}", "{\"muteAudio\":1}", "{\"muteVideo\":\"yes\"}", String(repeating: "{", count: 9_000),
    ] {
      let response = http.request("POST", publisher + "/media", json, body: body)
      #expect(response.status == 400 && response.body.hasPrefix("Send an object with muteAudio"))
    }
    #expect(http.request("POST", publisher + "/media", ["Content-Type: text/plain"], body: "{}").status == 415)
    #expect(http.request("PUT", publisher + "/media", json, body: "{}").status == 405)
    #expect(http.request("OPTIONS", publisher + "/media").status == 204)
    for other in [publisher + "x/media", player + "/media", publisher + "/medium"] {
      #expect(http.request("POST", other, json, body: "{}").status == 404)
    }
    #expect(http.request("DELETE", publisher).status == 200)
    #expect(http.request("POST", publisher + "/media", json, body: "{}").status == 404)
  }

  @Test("how much a player wants is a number from 0 on, or no limit")
  func layers() throws {
    let player = try #require(http.offer("/whep/show?from=7", .offer("recvonly")).headers["location"])
    let json = ["Content-Type: application/json"]
    for body in ["{}", "{\"maxSpatialLayerId\":0}", "{\"maxSpatialLayerId\":999,\"maxTemporalLayerId\":1}"] {
      #expect(http.request("POST", player + "/layer", json, body: body).status == 200)
    }
    for body in ["", "{\"maxSpatialLayerId\":-1}", "{\"maxSpatialLayerId\":0,\"maxTemporalLayerId\":-1}"] {
      let response = http.request("POST", player + "/layer", json, body: body)
      #expect(response.status == 400 && response.body.hasPrefix("Send an object with maxSpatialLayerId"))
    }
  }

  @Test("sessions of one address, and all sessions, are limited")
  func limits() {
    let statuses = (0..<35).map { _ in http.offer("/whip/show", .offer()).status }
    #expect(statuses.prefix(30).allSatisfy { $0 == 201 } && statuses.dropFirst(30).allSatisfy { $0 == 429 })
  }

  @Test("offers of which no media connection comes are limited for themselves, until the client ends some")
  func unconnectedSessions() throws {
    let (server, http) = try Self.start { $0.maximumUnconnectedSessionCountPerAddress = 3 }
    let sessions = (0..<3).map { _ in http.offer("/whip/show", .offer()) }
    let refused = http.offer("/whep/show", .offer("recvonly"))
    #expect(sessions.allSatisfy { $0.status == 201 } && refused.status == 429)
    #expect((refused.headers["retry-after"].flatMap { Int($0) } ?? 0) > 0)
    // None of them is a broadcaster to others.
    #expect(http.request("GET", "/v1/channels").body.contains("\"broadcasters\":[]"))
    #expect(http.request("DELETE", try #require(sessions[0].headers["location"])).status == 200)
    #expect(http.offer("/whep/show", .offer("recvonly")).status == 201)
    server.stop()
  }

  @Test("sessions count by IPv4 address or IPv6 /64; connected ones no longer count as unconnected")
  func quota() {
    var quota = SessionQuota(limit: 4, unconnectedLimit: 2)
    let home = ClientNetwork(host: "2001:db8:1:2::1")
    for host in ["2001:db8:1:2::9", "2001:db8:1:2:ffff::"] { quota.add(ClientNetwork(host: host)) }
    #expect(quota.problem(of: home)?.contains("without a media connection") == true)
    for other in ["2001:db8:1:3::1", "192.0.2.1"] { #expect(quota.problem(of: ClientNetwork(host: other)) == nil) }
    for _ in 0..<2 {
      quota.connected(home)
      #expect(quota.problem(of: home) == nil)
      quota.add(home)
    }
    quota.connected(home)
    #expect(quota.problem(of: home)?.contains("too many sessions;") == true)
    quota.remove(home, hasConnected: true)
    #expect(quota.problem(of: home) == nil)
    for _ in 0..<3 { quota.remove(home, hasConnected: false) }
    #expect(quota.problem(of: home) == nil)
    #expect(ClientNetwork(host: "::ffff:192.0.2.1") == ClientNetwork(host: "192.0.2.1"))
    #expect(ClientNetwork(host: "::ffff:192.0.2.2") != ClientNetwork(host: "192.0.2.1"))
  }

  @Test("who finds no room is told when to try again, and gets in when somebody has left")
  func fullServer() throws {
    let (server, http) = try Self.start { $0.maximumConnectionCount = 20 }
    let sessions = (0..<20).map { _ in http.offer("/whep/show", .offer("recvonly")) }
    #expect(sessions.allSatisfy { $0.status == 201 })
    let refused = http.offer("/whip/show", .offer())
    #expect(refused.status == 503 && (refused.headers["retry-after"].flatMap { Int($0) } ?? 0) > 0)
    #expect(refused.headers["access-control-expose-headers"] == "Retry-After" && refused.body.hasSuffix(".\n"))
    #expect(http.request("DELETE", try #require(sessions[0].headers["location"])).status == 200)
    #expect(http.offer("/whip/show", .offer()).status == 201)
    server.stop()
  }

  @Test("clients that go before the answer, send half a request or a head without end do not disturb others")
  func rudeClients() {
    let offer = String.offer()
    let head = "POST /whip/show HTTP/1.1\r\nHost: x\r\nContent-Type: application/sdp\r\nContent-Length: "
    for _ in 0..<10 { http.send(head + "\(offer.utf8.count)\r\n\r\n\(offer)", reads: false) }
    for _ in 0..<10 { http.send(head + "5000\r\n\r\nv=0", reads: false) }
    let endless = http.send(head + "5\r\nX: " + String(repeating: "x", count: 200_000))
    #expect([0, -Int(ECONNRESET), -Int(EPIPE)].contains(endless.status) || (400..<500).contains(endless.status))
    #expect(http.offer("/whip/other", offer).status == 201)
  }
}
