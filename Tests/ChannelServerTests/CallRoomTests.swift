import ChannelServer
import TestSupport
import Testing

/// Channels of profile communication, which calls are in, by WHIP and WHEP.
@Suite("WHIP and WHEP in the channels of calls", .timeLimit(.minutes(10)), .ownThread)
struct CallRoomTests {
  private let server: ChannelServer
  private let http: RawHTTP

  init() throws {
    server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    http = RawHTTP(port: server.boundHTTPPort)
  }

  @Test("who comes first sets the profile, and who wants another is refused")
  func profile() {
    #expect(http.offer("/whip/room?uid=7&profile=0", .offer()).status == 201)
    #expect(http.offer("/whep/room?from=7", .offer("recvonly")).status == 400)
    #expect(http.offer("/whep/room?from=7&profile=1", .offer("recvonly")).status == 400)
    #expect(http.offer("/whep/room?from=7&profile=0", .offer("recvonly")).status == 201)
    #expect(http.offer("/whip/show?profile=1", .offer()).status == 201)
    #expect(http.offer("/whip/show?profile=0", .offer()).status == 400)
    for wrong in ["2", "-1", "live", ""] {
      #expect(http.offer("/whip/other?profile=\(wrong)", .offer()).status == 400, "\(wrong)")
    }
  }

  @Test("the channels of calls are not listed")
  func unlisted() {
    #expect(http.offer("/whip/secret?uid=7&profile=0", .offer()).status == 201)
    #expect(http.offer("/whip/show?uid=7", .offer()).status == 201)
    let list = http.request("GET", "/v1/channels")
    #expect(list.status == 200)
    #expect(list.body.contains("show") && !list.body.contains("secret"))
  }
}
