import ForwardingCore
import Glibc
import ICEAgent
import MediaBase
import OpenSSLCrypto
import OpenSSLDTLS
import STUNWire
import SecureChannel
import TestSupport
import Testing

@Suite("Peers by ICE and DTLS", .ownThread)
struct HandshakeTests {
  private let identity: OpenSSLDTLS
  private let room: TestRoom

  init() throws {
    identity = try #require(OpenSSLDTLS())
    room = TestRoom(ForwardingConfiguration(), dtls: identity)
  }

  /// A publisher by handshake and a native subscriber.
  private func show(announced: [UInt8]? = nil) throws -> (HandshakePeer, TestPeer) {
    let publisher = try #require(HandshakePeer(1, in: room, server: identity, announced: announced))
    let viewer = room.join(2)
    room.route(from: 1, to: 2)
    return (publisher, viewer)
  }

  @Test("SSRCs that nobody was told are learned from the first packets; others of the same kind are not mixed in")
  func learnedSSRCs() throws {
    let (publisher, viewer) = try show()
    publisher.run(milliseconds: 30)
    check(room.core.isConnected(client: 1))
    publisher.sendPicture(ssrc: 0xAABB_CCDD, isKey: true)
    publisher.send(ssrc: 0x1122_3344, payloadType: 111, payload: [1, 2, 3])
    publisher.sendPicture(ssrc: 0x5566_7788, isKey: true)
    publisher.send(ssrc: 0x99AA_BBCC, payloadType: 50, payload: [1, 2, 3])
    publisher.sendPicture(ssrc: 0xAABB_CCDD, isKey: false)
    room.turn()
    #expect(viewer.seen(video).count == 2 && viewer.seen(audio).count == 1 && viewer.seen.count == 3)
    check(isContinuous(viewer.seen(video)))
    #expect(publisher.controlCount > 0)
  }

  @Test("packets of an SSRC that nobody was told go to the medium that they name, also in place of the one before")
  func namedMedia() throws {
    let publisher = try #require(HandshakePeer(1, in: room, server: identity, mediaNames: ("a1", "video")))
    let viewer = room.join(2)
    room.route(from: 1, to: 2)
    publisher.run(milliseconds: 30)
    check(room.core.isConnected(client: 1))
    publisher.sendPicture(ssrc: 10, isKey: true, medium: "video")
    publisher.send(ssrc: 20, payloadType: 111, payload: [1], medium: "a1")
    room.turn()
    #expect(viewer.seen(video).count == 1 && viewer.seen(audio).count == 1)
    // Without a name, with that of the other medium, or of none there is: not mixed in.
    publisher.sendPicture(ssrc: 11, isKey: true)
    for medium in ["a1", "vide", "video2", "x"] { publisher.sendPicture(ssrc: 12, isKey: true, medium: medium) }
    publisher.send(ssrc: 21, payloadType: 111, payload: [2], medium: "video")
    // Known SSRCs need no name.
    publisher.sendPicture(ssrc: 10, isKey: false)
    room.turn()
    #expect(viewer.seen(video).count == 2 && viewer.seen(audio).count == 1)
    // The publisher sends with others from now on, as after another track was put in place.
    publisher.sendPicture(ssrc: 13, isKey: true, medium: "video")
    publisher.send(ssrc: 23, payloadType: 111, payload: [3], medium: "a1")
    publisher.sendPicture(ssrc: 13, isKey: false)
    publisher.send(ssrc: 23, payloadType: 111, payload: [4])
    room.turn()
    #expect(viewer.seen(video).count == 4 && viewer.seen(audio).count == 3)
    check(isContinuous(viewer.seen(video)) && isContinuous(viewer.seen(audio)))
  }

  @Test("the handshake goes on and media flow before a path is nominated, where the peer has checked one and uses it")
  func beforeNomination() throws {
    let room = TestRoom(dtls: identity)
    let player = try #require(HandshakePeer(1, in: room, server: identity))
    let publisher = room.join(2, publishes: bothForwarded)
    room.route(from: 2, to: 1)
    room.run(milliseconds: 20)
    let hello = try #require(player.endpoint.pollTransmit())
    room.inject(plainCheck(1), from: player.address)
    room.turn()
    #expect(player.handshakeSizes.isEmpty)
    room.inject(hello, from: player.address)
    for _ in 0..<5 {
      room.turn()
      player.shakeHands()
    }
    check(room.core.isConnected(client: 1))
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(player.mediaCount == 3)
    // Another path that is only checked changes nothing, one that is nominated does.
    let other = TransportAddress(ipv4: 0x0C00_0077, port: 1)
    room.inject(plainCheck(1), from: other)
    room.runs = []
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(room.runs.contains { $0.destination == player.address && $0.byteCount > 200 })
    room.inject(plainCheck(1, nominates: true), from: other)
    room.runs = []
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(room.runs.contains { $0.destination == other && $0.byteCount > 200 })
  }

  @Test("a first message that overtakes the check is answered when that comes, once, and not if it is old")
  func earlyHello() throws {
    for (delay, isAnswered) in [(0, true), (200, true), (1_200, false)] {
      let room = TestRoom(dtls: identity)
      let player = try #require(HandshakePeer(1, in: room, server: identity))
      let hello = try #require(player.endpoint.pollTransmit())
      room.run(milliseconds: 20)
      // Others have nothing from it, however many they are.
      for number in 0..<8 as Range<UInt32> {
        room.inject(hello, from: TransportAddress(ipv4: 0x0E00_0000 + number, port: 7))
      }
      // Not only is it kept: so far nothing is answered.
      room.inject(hello, from: player.address)
      room.download()
      #expect(room.runs.isEmpty && room.core.statistics.droppedUnknown == 9)
      room.run(milliseconds: delay)
      room.inject(plainCheck(1), from: player.address)
      room.turn()
      #expect(player.handshakeSizes.isEmpty != isAnswered)
      let count = player.handshakeSizes.count
      room.inject(plainCheck(1), from: player.address)
      room.turn()
      #expect(player.handshakeSizes.count == count)
      #expect(room.runs.allSatisfy { $0.destination == player.address })
    }
  }

  @Test("a change of address is followed within one check, in a call and in the handshake, without another handshake")
  func addressChange() throws {
    let (peer, viewer) = try show()
    let publisher = room.join(3, publishes: bothForwarded)
    room.route(from: 3, to: 1)
    // Behind the first flight the address changes.
    peer.check()
    peer.shakeHands()
    peer.address = TransportAddress(ipv4: 0x0D00_0001, port: 1)
    // OpenSSL repeats a flight by the system's clock, whatever time it is in the room.
    for _ in 0..<2_000 where !room.core.isConnected(client: 1) {
      peer.run(milliseconds: 3)
      usleep(5_000)
    }
    check(room.core.isConnected(client: 1))
    let handshakes = peer.handshakeSizes.count
    for number in 2...4 as ClosedRange<UInt32> {
      peer.address = TransportAddress(ipv4: 0x0D00_0000 + number, port: 1)
      // Media from an address that no check has proved is not taken.
      peer.sendPicture(ssrc: 7, isKey: true)
      room.turn()
      #expect(viewer.seen(video).count == Int(number) - 2)
      while !peer.check() { room.run(milliseconds: 10) }
      room.runs = []
      publisher.sendPicture(isKey: true)
      peer.sendPicture(ssrc: 7, isKey: true)
      room.turn()
      #expect(viewer.seen(video).count == Int(number) - 1)
      #expect(room.runs.contains { $0.destination == peer.address && $0.byteCount > 200 })
    }
    #expect(peer.mediaCount == 9 && peer.handshakeSizes.count == handshakes)
  }

  @Test("a peer that does not finish its handshake is dropped after the time to connect, whatever checks it sends")
  func unfinishedHandshake() throws {
    let (silent, _) = try show()
    silent.shakesHands = false
    let halfway = try #require(HandshakePeer(4, in: room, server: identity))
    halfway.check()
    halfway.shakeHands()
    halfway.shakesHands = false
    for _ in 0..<3_100 {
      silent.check()
      halfway.check()
      room.run(milliseconds: 10)
    }
    #expect(Set(room.events) == [.peerConnected(client: 2), .peerLost(client: 1), .peerLost(client: 4)])
    #expect(silent.handshakeSizes.isEmpty && !halfway.handshakeSizes.isEmpty)
  }

  @Test("whoever has another certificate than was announced gets no media, and none of it is taken")
  func wrongFingerprint() throws {
    let (impostor, viewer) = try show(announced: Array(repeating: 1, count: 32))
    let publisher = room.join(3, publishes: bothForwarded)
    room.route(from: 3, to: 1)
    for _ in 0..<50 {
      impostor.run(milliseconds: 5)
      publisher.sendPicture(isKey: true)
      impostor.sendPicture(ssrc: 7, isKey: true)
      room.turn()
    }
    check(!room.core.isConnected(client: 1) && room.events.contains(.peerLost(client: 1)))
    #expect(impostor.mediaCount == 0 && impostor.controlCount == 0 && viewer.seen.isEmpty)
    #expect(room.runs.allSatisfy { $0.destination != impostor.address || $0.segmentSize < 1_200 })
  }

  @Test("handshakes from addresses that no check has proved are not answered, also by a peer's own first message")
  func unprovedHandshakes() throws {
    let (peer, viewer) = try show()
    let hello = try #require(peer.endpoint.pollTransmit())
    room.run(milliseconds: 20)
    room.runs = []
    for number in 0..<5_000 as Range<UInt32> {
      room.inject(hello, from: TransportAddress(ipv4: 0x0E00_0000 + number / 3, port: 1_000 + UInt16(number % 3)))
    }
    // A peer that agrees on keys otherwise does not shake hands either.
    room.inject(hello, from: viewer.address)
    room.inject(hello, from: peer.address)
    room.download()
    #expect(room.runs.isEmpty && room.core.statistics.droppedUnknown == 5_002)
  }

  @Test("before an address is proved, nothing goes there that is larger than what came from there")
  func noAmplification() throws {
    let (peer, _) = try show()
    let hello = try #require(peer.endpoint.pollTransmit())
    let good = TestChecks(credentials("client1"), to: credentials("server1"), now: room.now).next(now: room.now)
    var wrong = credentials("server1")
    wrong.password += "x"
    let forged = TestChecks(credentials("client1"), to: wrong, now: room.now).next(now: room.now)
    let stranger = TestChecks(credentials("client9"), to: credentials("server9"), now: room.now).next(now: room.now)
    let cut = Array(good.dropLast(8))
    let rtp: [UInt8] = [0x80, 96] + [UInt8](repeating: 7, count: 1_000)
    let rtcp: [UInt8] = [0x80, 200, 0, 6] + [UInt8](repeating: 7, count: 24)
    for (place, datagram) in [forged, stranger, cut, hello, rtp, rtcp, [], [0], [22]].enumerated() {
      room.runs = []
      room.inject(datagram, from: TransportAddress(ipv4: 0x0F00_0001 + UInt32(place), port: 1))
      room.download()
      #expect(room.runs.isEmpty)
    }
    // The answer to an authentic check proves nothing yet to whom it goes.
    room.inject(good, from: peer.address)
    room.download()
    #expect(room.runs.count == 1 && room.runs[0].byteCount <= good.count)
  }
}
