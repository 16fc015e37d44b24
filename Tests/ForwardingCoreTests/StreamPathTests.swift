import ForwardingCore
import MediaBase
import OpenSSLDTLS
import Testing

/// Peers behind TCP connections.
@Suite("Paths over TCP")
struct StreamPathTests {
  private func tcp(_ address: TransportAddress) -> TransportAddress {
    var address = address
    address.transport = .tcp
    return address
  }

  @Test("a handshake and media go over TCP as over UDP, and the two do not mix under one address")
  func overTCP() throws {
    let identity = try #require(OpenSSLDTLS())
    let room = TestRoom(dtls: identity)
    let player = try #require(HandshakePeer(2, in: room, server: identity))
    player.address = tcp(player.address)
    let publisher = room.join(1, publishes: bothForwarded)
    room.route(from: 1, to: 2)
    player.run(milliseconds: 40)
    check(room.core.isConnected(client: 2))
    for _ in 0..<5 {
      publisher.sendPicture(isKey: true)
      room.turn()
    }
    #expect(player.mediaCount >= 5)
    #expect(room.runs.allSatisfy { $0.destination == player.address || $0.destination.transport == .udp })
    #expect(
      !room.core.hasPeer(at: TransportAddress(ipv4: 0x0C00_0002, port: 9_000)) && room.core.hasPeer(at: player.address))
  }

  @Test("while UDP works it is not left for TCP, however often that is nominated; when it falls silent it is")
  func preference() throws {
    let (room, publisher, others) = connectedRoom()
    let viewer = others[0]
    let datagrams = viewer.address
    func nominates(over address: TransportAddress) -> Bool {
      viewer.address = address
      room.run(milliseconds: 1)
      let checks = TestChecks(
        credentials("client2"), to: credentials("server2"), seed: UInt64(room.now.nanoseconds) ^ UInt64(address.port),
        now: room.now)
      room.inject(checks.next(now: room.now), from: address)
      room.runs = []
      publisher.sendPicture(isKey: true)
      room.turn()
      return room.runs.contains { $0.destination == address && $0.byteCount > 200 }
    }
    #expect(nominates(over: datagrams))
    #expect(!nominates(over: tcp(datagrams)))
    room.silent = [2]
    room.run(milliseconds: 3_100)
    #expect(nominates(over: tcp(datagrams)))
    // And UDP is taken again at once.
    #expect(nominates(over: datagrams))
  }

  @Test("when the connection ends nothing is sent there, and the next one goes on with a key frame")
  func end() throws {
    let (room, publisher, others) = connectedRoom()
    let viewer = others[0]
    room.silent = [2]
    room.run(milliseconds: 3_100)
    func sendCheck(from address: TransportAddress) {
      let checks = TestChecks(
        credentials("client2"), to: credentials("server2"), seed: UInt64(room.now.nanoseconds) ^ UInt64(address.port),
        now: room.now)
      room.inject(checks.next(now: room.now), from: address)
      room.turn()
    }
    let (first, second) = (tcp(viewer.address), TransportAddress(ipv4: 0x0C00_0009, port: 77))
    sendCheck(from: first)
    room.core.pathClosed(TransportAddress(ipv4: 1, port: 1), now: room.now)
    check(room.core.isConnected(client: 2))
    room.core.pathClosed(first, now: room.now)
    check(!room.core.isConnected(client: 2) && !room.core.hasPeer(at: first))
    room.runs = []
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(!room.runs.contains { $0.destination == first })
    let asked = room.core.statistics.keyFrameRequests
    sendCheck(from: tcp(second))
    room.run(milliseconds: 400)
    check(room.core.isConnected(client: 2) && room.core.statistics.keyFrameRequests > asked)
    // Without another connection, consent runs out.
    room.core.pathClosed(tcp(second), now: room.now)
    room.run(milliseconds: 30_200)
    #expect(room.events.contains(.peerLost(client: 2)))
  }
}
