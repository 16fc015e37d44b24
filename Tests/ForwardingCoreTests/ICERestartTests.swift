import ForwardingCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import SecureChannel
import Testing

/// The connectivity checks of a client, apart from its media.
final class TestChecks {
  private var agent: ICEAgent

  init(_ client: ICECredentials, to server: ICECredentials, seed: UInt64 = 77_001, now: MediaInstant) {
    agent = ICEAgent(
      configuration: ICEConfiguration(
        role: .controlling, localCredentials: client, remoteCredentials: server,
        remoteCandidates: [TransportAddress(ipv4: 0xC000_0201, port: 7_000)], seed: seed),
      hmacSHA1: { key, message, digest in
        guard let result = OpenSSLCrypto.provider.hmacSHA1(key: Array(key), message: Array(message)) else {
          return false
        }
        digest.copyBytes(from: result)
        return true
      }, now: now)
  }

  /// The next check; empty if none is due.
  func next(now: MediaInstant) -> [UInt8] { written { _ = agent.pollTransmit(into: &$0, now: now) } }

  func receive(_ datagram: [UInt8], now: MediaInstant) {
    agent.receive(datagram.span.bytes, from: TransportAddress(ipv4: 0xC000_0201, port: 7_000), now: now)
  }

  /// Whether an answer has come.
  var isAnswered: Bool { agent.selectedRemoteAddress != nil }
}

@Suite("ICE restart")
struct ICERestartTests {
  private let elsewhere = TransportAddress(ipv4: 0x0B00_0001, port: 6_000)

  private func restart(_ room: TestRoom, _ id: UInt64, _ name: String = "new") -> Bool {
    room.core.restartICE(
      client: id, localCredentials: credentials("server\(id)\(name)"),
      remoteCredentials: credentials("client\(id)\(name)"))
  }

  private func checks(_ room: TestRoom, _ id: UInt64, _ name: String = "new") -> TestChecks {
    TestChecks(credentials("client\(id)\(name)"), to: credentials("server\(id)\(name)"), now: room.now)
  }

  @Test("media goes on where it went, with the same keys, until a check with the new credentials says where else")
  func mediaGoesOn() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(restart(room, 1) && restart(room, 2))
    publisher.sendPicture(isKey: false)
    room.run(milliseconds: 10)
    #expect(others[0].seen(video).count == 6)
    // The subscriber, and then the publisher, go on from elsewhere.
    for (peer, address) in [(others[0], elsewhere), (publisher, TransportAddress(ipv4: 0x0B00_0002, port: 6_000))] {
      let checks = checks(room, peer.id)
      room.onDatagram = { datagram, destination in if destination == address { checks.receive(datagram, now: room.now) }
      }
      room.inject(checks.next(now: room.now), from: address)
      room.download()
      #expect(checks.isAnswered)
      peer.address = address
      publisher.sendPicture(isKey: false)
      room.turn()
    }
    #expect(others[0].seen(video).count == 12 && others[0].rejectedCount == 0)
    check(isContinuous(others[0].seen(video)))
    #expect(room.events.allSatisfy { if case .peerConnected = $0 { true } else { false } })
  }

  @Test("the credentials from before are good until new ones have nominated a path, and then no more")
  func oldCredentials() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    #expect(restart(room, 2))
    // The network changed before the client could use its new credentials.
    others[0].address = elsewhere
    room.run(milliseconds: 6_000)
    publisher.sendPicture(isKey: false)
    room.turn()
    #expect(room.runs.last?.destination == elsewhere)
    room.inject(checks(room, 2).next(now: room.now), from: elsewhere)
    room.download()
    let before = room.core.statistics.droppedUnauthenticated
    room.inject(checks(room, 2, "").next(now: room.now), from: TransportAddress(ipv4: 0x0B00_0003, port: 1))
    #expect(room.core.statistics.droppedUnauthenticated == before + 1)
    publisher.sendPicture(isKey: false)
    room.turn()
    #expect(room.runs.last?.destination == elsewhere)
  }

  @Test("any number of restarts leaves nothing behind, and a user name in use is refused")
  func repeated() {
    let (room, _, _) = connectedRoom()
    for number in 0..<50 { #expect(restart(room, 2, "\(number)")) }
    #expect(!restart(room, 2, "49") && !restart(room, 3, "x"))
    let last = checks(room, 2, "49")
    room.inject(last.next(now: room.now), from: elsewhere)
    for stale in ["", "3", "47"] {
      let before = room.core.statistics.droppedUnknown
      room.inject(checks(room, 2, stale).next(now: room.now), from: TransportAddress(ipv4: 0x0B00_0004, port: 1))
      #expect(room.core.statistics.droppedUnknown == before + 1)
    }
    room.core.removePeer(client: 2)
    room.inject(last.next(now: room.now + .seconds(Int64(3))), from: elsewhere)
    #expect(room.join(2).id == 2)
    #expect(restart(room, 2, "49"))
  }
}
