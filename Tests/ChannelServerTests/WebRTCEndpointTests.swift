import ChannelServer
import LinuxIO
import MediaBase
import TestSupport
import Testing

/// WHIP (RFC 9725) and WHEP as HTTP clients see them.
@Suite("WHIP and WHEP", .timeLimit(.minutes(10)), .ownThread)
struct WebRTCEndpointTests {
  private let server: ChannelServer
  private let http: RawHTTP

  init() throws {
    server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    http = RawHTTP(port: server.boundHTTPPort)
  }

  @Test(
    "a session has an address, a tag and an answer, and pages of any origin may read them", arguments: ["whip", "whep"])
  func created(kind: String) {
    let response = http.offer("/\(kind)/show", .offer(kind == "whip" ? "sendonly" : "recvonly"))
    #expect(response.status == 201)
    #expect(response.headers["content-type"] == "application/sdp")
    #expect(response.headers["location"]?.hasPrefix("/\(kind)/show/") == true)
    #expect(response.headers["etag"]?.hasPrefix("\"") == true)
    #expect(response.headers["accept-patch"] == "application/trickle-ice-sdpfrag")
    #expect(response.headers["access-control-allow-origin"] == "*")
    let exposed = response.headers["access-control-expose-headers"] ?? ""
    for name in ["Location", "ETag", "Link"] { #expect(exposed.contains(name)) }
    #expect(response.body.hasPrefix("v=0\r\n"))
    #expect(response.body.contains(kind == "whip" ? "a=recvonly" : "a=sendonly"))
  }

  @Test("a session is there until it is deleted, and only at its own address")
  func deleted() throws {
    let location = try #require(http.offer("/whip/show", .offer()).headers["location"])
    let resource = location.split(separator: "/").last ?? ""
    for wrong in ["/whep/show/\(resource)", "/whip/other/\(resource)", "/whip/show/\(resource)0", "/whip/show/x"] {
      #expect(http.request("DELETE", wrong).status == 404)
    }
    #expect(http.request("DELETE", location).status == 200)
    #expect(http.request("DELETE", location).status == 404)
    #expect(http.patch(location, "a=end-of-candidates\r\n", match: "*").status == 404)
  }

  @Test("content of another kind than an offer is refused with a sentence")
  func refusedContent() {
    for type in ["", "Content-Type: text/plain", "Content-Type: application/sdp2", "Content-Type: application/json"] {
      #expect(http.request("POST", "/whip/show", type.isEmpty ? [] : [type], body: .offer()).status == 415)
    }
    let types = ["application/sdp; charset=utf-8", "Application/SDP"]
    for type in types {
      #expect(http.request("POST", "/whip/show", ["Content-Type: \(type)"], body: .offer()).status == 201)
    }
    for body in ["", "v=0", "hello", String(repeating: "\0", count: 100), .offer("recvonly"), .offer("inactive")] {
      let response = http.offer("/whip/show", body)
      #expect(response.status == 400 && response.body.hasSuffix(".\n"))
      #expect(response.headers["content-type"]?.hasPrefix("text/plain") == true)
    }
    #expect(http.offer("/whep/show", .offer("sendonly")).status == 400)
  }

  @Test("content that is too long or does not say how long it is is not read, and pages may read why")
  func refusedLength() {
    let head = ["POST /whip/show HTTP/1.1", "Host: x", "Connection: close", "Content-Type: application/sdp"]
    let text = head.map { $0 + "\r\n" }.joined()
    let long = http.send(text + "Content-Length: 200000\r\n\r\n" + String(repeating: "a", count: 200_000))
    #expect(long.status == 413 && long.headers["access-control-allow-origin"] == "*")
    let chunked = http.send(text + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
    #expect(chunked.status == 411 && chunked.headers["access-control-allow-origin"] == "*")
    #expect(http.offer("/whip/show", .offer()).status == 201)
  }

  @Test("browsers learn before a request what they may send")
  func options() {
    for target in ["/whip/show", "/whep/show", "/whip/show/x"] {
      let response = http.request("OPTIONS", target, ["Origin: http://x", "Access-Control-Request-Method: POST"])
      #expect(response.status == 204)
      #expect(response.headers["access-control-allow-origin"] == "*")
      #expect(response.headers["access-control-allow-methods"]?.contains("PATCH") == true)
      for name in ["Authorization", "Content-Type", "If-Match"] {
        #expect(response.headers["access-control-allow-headers"]?.contains(name) == true)
      }
      #expect(response.headers["accept-post"] == "application/sdp")
    }
  }

  @Test("other methods are refused with those that are understood, other paths are not found")
  func refusedMethods() {
    for method in ["GET", "PUT", "DELETE", "PATCH"] {
      let response = http.request(method, "/whip/show")
      #expect(response.status == 405 && response.headers["allow"] == "OPTIONS, POST")
    }
    for method in ["GET", "PUT", "POST"] {
      let response = http.request(method, "/whep/show/x")
      #expect(response.status == 405 && response.headers["allow"] == "OPTIONS, PATCH, DELETE")
    }
    #expect(http.request("HEAD", "/whip/show").status == 405)
    for path in ["/whip", "/whip/", "/whip//x", "/whip/a/b/c", "/whip/a/b/c/d", "/whip/a%2Fb%2Fc"] {
      let response = http.offer(path, .offer())
      #expect(response.status == 404 && response.body.contains("has no slash"), "\(path)")
      #expect(response.headers["access-control-allow-origin"] == "*")
      #expect(http.request("OPTIONS", path).status == 204)
    }
    let slash = http.offer("/whip/a%2Fb", .offer())
    #expect(slash.status == 405 && slash.body.contains("has no slash"))
    #expect(slash.headers["access-control-allow-origin"] == "*")
    let list = http.request("HEAD", "/v1/channels")
    #expect(list.status == 200 && list.headers["content-type"] == "application/json" && list.body.isEmpty)
    #expect(http.request("GET", "/v1/channels").body == "{\"channels\":[]}")
    #expect(http.request("PUT", "/v1/channels").status == 405)
    for path in ["/whop/show", "/whipshow", "/"] {
      #expect((400..<500).contains(http.offer(path, .offer()).status))
    }
  }
}
