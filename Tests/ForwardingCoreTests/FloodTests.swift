import ForwardingCore
import ICEAgent
import MediaBase
import OpenSSLDTLS
import RTPWire
import STUNWire
import SecureChannel
import Testing

@Suite("Floods and forged addresses")
struct FloodTests {
  @Test(
    "junk from a hundred thousand addresses gets no answer, costs no check of a password, and leaves nothing behind")
  func strangers() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    let known = TestChecks(credentials("client1"), to: credentials("server1"), now: room.now).next(now: room.now)
    let unknown = TestChecks(credentials("client9"), to: credentials("server9"), now: room.now).next(now: room.now)
    // Another password, so that only the check of its integrity can tell.
    var wrong = credentials("server1")
    wrong.password += "x"
    let forged = TestChecks(credentials("client1"), to: wrong, now: room.now).next(now: room.now)
    let indication = written {
      var message = STUNMessageBuilder(.indication, transactionID: STUNTransactionID(high: 1, low: 2))
      message.addFingerprint()
      _ = message.write(into: &$0)
    }
    let junk: [[UInt8]] = [
      unknown, Array(known.dropLast(8)), indication, [0], [22, 254, 253] + [UInt8](repeating: 0, count: 200),
      [0x80, 96] + [UInt8](repeating: 1, count: 1_200), [0x80, 200] + [UInt8](repeating: 1, count: 60), [255],
    ]
    let before = room.core.statistics
    room.runs = []
    let count = 100_000
    for number in 0..<count {
      let isForged = number % 10 == 0
      let address = TransportAddress(ipv4: 0x1000_0000 + UInt32(number), port: UInt16(truncatingIfNeeded: number) | 1)
      room.inject(isForged ? forged : junk[number % junk.count], from: address)
      if number % 1_000 == 0 { room.download() }
    }
    room.download()
    #expect(room.runs.isEmpty)
    let after = room.core.statistics
    // Those were compared with a password, the others not even that.
    #expect(after.droppedUnauthenticated - before.droppedUnauthenticated == UInt64(count / 10))
    #expect(after.droppedUnknown - before.droppedUnknown == UInt64(count - count / 10))
    #expect(after.receivedPackets == before.receivedPackets && room.events.count == 3)
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(others.allSatisfy { $0.seen(video).count == 3 })
  }

  @Test(
    "before an address is proved, it gets at most what came from it, with a cookie, without one or with a wrong one")
  func forgedHandshakes() throws {
    let identity = try #require(OpenSSLDTLS())
    let room = TestRoom(dtls: identity)
    let attacker = try #require(HandshakePeer(1, in: room, server: identity))
    let hello = try #require(attacker.endpoint.pollTransmit())
    attacker.shakesHands = false
    // The second time with a cookie that nobody was given, behind the random number and an empty session id.
    var withCookie = hello
    withCookie.replaceSubrange(60...60, with: [8] + [UInt8](repeating: 5, count: 8))
    for (place, growth) in [(12, 8), (16, 8), (24, 8)] { withCookie[place] += UInt8(growth) }
    withCookie[18] = 1
    withCookie[10] += 1
    var (sent, received) = ([TransportAddress: Int](), [TransportAddress: Int]())
    for number in 0..<40 as Range<UInt32> {
      // It knows its credentials, and writes somebody else's address on everything.
      let victim = TransportAddress(ipv4: 0x1100_0000 + number / 4, port: 53)
      let checks = TestChecks(credentials("client1"), to: credentials("server1"), seed: UInt64(number), now: room.now)
      let check = checks.next(now: room.now)
      room.runs = []
      room.inject(check, from: victim)
      let cut = [hello, Array(hello.prefix(40)), withCookie, withCookie][Int(number % 4)]
      room.inject(cut, from: victim)
      room.run(milliseconds: 700)
      received[victim, default: 0] += check.count + cut.count
      for run in room.runs { sent[run.destination, default: 0] += run.byteCount }
      #expect(sent[victim, default: 0] <= received[victim, default: 0])
      #expect(Set(sent.keys).isSubset(of: received.keys))
    }
  }

  @Test("the limit does not hold up who is there, also with a certificate that comes in many pieces")
  func honestHandshake() throws {
    let identity = try #require(OpenSSLDTLS())
    for asksFromElsewhere in [false, true] {
      let room = TestRoom(dtls: identity)
      let peer = try #require(
        HandshakePeer(1, in: room, server: identity, asksFromElsewhere: asksFromElsewhere))
      peer.run(milliseconds: 8)
      check(room.core.isConnected(client: 1))
      // A cookie is smaller than all else in a handshake; only who has not asked from there needs one.
      #expect(peer.handshakeSizes.contains { $0 == 60 } == asksFromElsewhere)
    }
  }

  @Test("a publisher that only indicates that it is there stays while media of it comes, and goes when none does")
  func indications() throws {
    let identity = try #require(OpenSSLDTLS())
    let room = TestRoom(dtls: identity)
    let publisher = try #require(HandshakePeer(1, in: room, server: identity))
    publisher.run(milliseconds: 30)
    check(room.core.isConnected(client: 1))
    let indication = written {
      var message = STUNMessageBuilder(.indication, transactionID: STUNTransactionID(high: 1, low: 2))
      message.addFingerprint()
      _ = message.write(into: &$0)
    }
    for second in 0..<70 {
      publisher.sendPicture(ssrc: 7, isKey: true)
      room.runs = []
      room.inject(indication, from: publisher.address)
      room.inject(indication, from: TransportAddress(ipv4: 9, port: 9))
      room.download()
      // Nothing answers it.
      #expect(room.runs.allSatisfy { $0.byteCount != indication.count })
      room.run(milliseconds: 1_000)
      check(room.core.isConnected(client: 1) || second > 69)
    }
    for _ in 0..<32 {
      room.inject(indication, from: publisher.address)
      room.run(milliseconds: 1_000)
    }
    #expect(room.events.contains(.peerLost(client: 1)))
  }
}
