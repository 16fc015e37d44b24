@testable import ChannelServer
import LinuxIO
import MediaBase
import TestSupport
import Testing

/// What clients are told of where to send media.
@Suite("Candidates", .timeLimit(.minutes(10)), .ownThread)
struct CandidateTests {
  private func address(_ host: String) throws -> TransportAddress {
    try #require(TransportAddress(host: host, port: 0))
  }

  private func hosts(
    bound: String, advertised: [String] = [], _ interfaces: [(name: String, host: String)]
  ) throws -> [String] {
    let entries = try interfaces.map {
      InterfaceAddress(
        interface: $0.name, address: try address($0.host), isUp: !$0.name.hasPrefix("off"), isLoopback: $0.name == "lo")
    }
    return try CandidateHosts.hosts(advertised: advertised, bound: try address(bound), interfaces: entries).map(\.host)
  }

  private static let machine = [
    ("lo", "127.0.0.1"), ("lo", "::1"), ("eth0", "198.51.100.2"), ("eth0", "2001:db8::2"), ("eth0", "fe80::1"),
    ("eth1", "169.254.3.4"), ("docker0", "172.17.0.1"), ("br-0123456789ab", "172.18.0.1"), ("veth12", "10.9.9.9"),
    ("off1", "203.0.113.9"), ("wg0", "10.0.0.3"), ("eth0:1", "198.51.100.2"),
  ]

  @Test("a server bound everywhere tells the machine's addresses, without those that nobody else reaches")
  func interfaces() throws {
    #expect(try hosts(bound: "0.0.0.0", Self.machine) == ["198.51.100.2", "10.0.0.3"])
    #expect(try hosts(bound: "::", Self.machine) == ["198.51.100.2", "2001:db8:0:0:0:0:0:2", "10.0.0.3"])
  }

  @Test("loopback is told only if there is nothing else")
  func loopback() throws {
    #expect(try hosts(bound: "0.0.0.0", [("lo", "127.0.0.1"), ("docker0", "172.17.0.1")]) == ["127.0.0.1"])
    #expect(try hosts(bound: "192.0.2.1", Self.machine) == ["192.0.2.1"])
  }

  @Test("what the operator says is told in its order and once, whatever the server is bound to")
  func advertised() throws {
    let told = ["203.0.113.7", "2001:db8::7", "203.0.113.7", "127.0.0.1"]
    for bound in ["127.0.0.1", "0.0.0.0"] {
      #expect(
        try hosts(bound: bound, advertised: told, Self.machine) == ["203.0.113.7", "2001:db8:0:0:0:0:0:7", "127.0.0.1"])
    }
  }

  @Test(
    "what is no address of a machine is refused with what to do",
    arguments: ["localhost", "", "0.0.0.0", "ff02::1", "224.0.0.1"])
  func refused(host: String) throws {
    let error = #expect(throws: ChannelServerError.self) { try hosts(bound: "127.0.0.1", advertised: [host], []) }
    #expect(error?.description.contains("cannot be told to clients") == true)
    #expect(error?.description.contains("Use ") == true)
  }

  @Test("this machine has a loopback address, and each address is listed with its interface")
  func thisMachine() throws {
    let all = InterfaceAddress.all()
    #expect(all.contains { $0.isLoopback && $0.isUp && $0.address == TransportAddress(ipv4: 0x7F00_0001, port: 0) })
    #expect(all.allSatisfy { !$0.interface.isEmpty && $0.address.port == 0 })
  }

  @Test("answers to WHIP and WHEP and to native users have the advertised addresses with the worker's port")
  func answers() throws {
    var configuration = ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true)
    configuration.advertisedHosts = ["203.0.113.7", "2001:db8::7"]
    let server = ChannelServer(configuration: configuration)
    try server.start()
    let port = server.boundUDPPort
    // UDP and TCP.
    #expect(server.candidates.map(\.port) == [port, port, port, port])
    for (kind, direction) in [("whip", "sendonly"), ("whep", "recvonly")] {
      let body = RawHTTP(port: server.boundHTTPPort).offer("/\(kind)/show", .offer(direction)).body
      for host in ["203.0.113.7", "2001:db8:0:0:0:0:0:7"] {
        #expect(body.contains(" udp ") && body.contains(" \(host) \(port) typ host\r\n"))
      }
      #expect(!body.contains("127.0.0.1 \(port)"))
    }
    server.stop()
    #expect(server.candidates.isEmpty)
  }
}
