import ForwardingCore
import MediaBase
import RTPWire
import Testing

/// Reads the number of rounds: more where the code is optimised.
#if DEBUG
  private let rounds = 100_000
#else
  private let rounds = 1_000_000
#endif

@Suite struct HostileInputTests {
  @Test func whatDoesNotAuthenticateIsDropped() {
    let (room, publisher, others) = connectedRoom()
    let forger = TestPeer(1, key: 77, now: room.now)
    for datagram in forger.picture(isKey: true) { room.inject(datagram, from: publisher.address) }
    room.download()
    #expect(others[0].seen.isEmpty)
    #expect(room.core.statistics.droppedUnauthenticated == 3)
  }

  @Test func aReplayIsDropped() {
    let (room, publisher, others) = connectedRoom()
    let picture = publisher.picture(isKey: true)
    for _ in 0..<5 {
      for datagram in picture { room.inject(datagram, from: publisher.address) }
      room.download()
    }
    #expect(others[0].seen.count == 3)
    #expect(room.core.statistics.droppedDuplicate == 12)
  }

  @Test func mediaFromAnAddressThatHasNotBeenCheckedIsDropped() {
    let (room, publisher, others) = connectedRoom()
    let elsewhere = TransportAddress(ipv4: 0x0B00_0001, port: 9)
    for datagram in publisher.picture(isKey: true) { room.inject(datagram, from: elsewhere) }
    room.download()
    #expect(others[0].seen.isEmpty)
    #expect(room.core.statistics.droppedUnknown == 3)
  }

  @Test func mediaFromAnotherPeersAddressIsDropped() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    for datagram in publisher.picture(isKey: true) { room.inject(datagram, from: others[1].address) }
    room.download()
    #expect(others.allSatisfy { $0.seen.isEmpty })
  }

  @Test func aCheckWithAnotherPasswordChangesNothing() {
    let (room, publisher, others) = connectedRoom()
    // Someone who has seen peer 3's checks, but not its password, names peer 1.
    let stranger = room.join(3)
    room.run(milliseconds: 5)
    stranger.handleTimeout(now: room.now + .milliseconds(10_000))
    for var check in stranger.outgoing {
      let name = Array("server3".utf8)
      for start in 0...(check.count - name.count) where Array(check[start..<start + name.count]) == name {
        check[start + name.count - 1] = UInt8(ascii: "1")
      }
      room.inject(check, from: TransportAddress(ipv4: 0x0B00_0001, port: 9))
    }
    stranger.outgoing = []
    room.runs = []
    room.download()
    #expect(room.runs.isEmpty)
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(others[0].seen.count == 3)
  }

  @Test func aPeerThatMovesGoesOnFromItsNewAddress() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    others[0].address = TransportAddress(ipv4: 0x0C00_0001, port: 1_234)
    publisher.address = TransportAddress(ipv4: 0x0C00_0002, port: 1_234)
    room.run(milliseconds: 7_000)
    publisher.sendPicture(isKey: false)
    room.turn()
    #expect(others[0].seen(video).count == 6)
    check(isContinuous(others[0].seen(video)))
    #expect(room.events.filter { $0 == .peerConnected(client: 2) }.count == 1)
  }

  @Test func otherStreamsPayloadTypesAndSizesAreDropped() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    func send(_ header: RTPHeader, _ payload: [UInt8]) {
      publisher.outgoing.append(publisher.sealed(header, payload: payload))
    }
    send(RTPHeader(payloadType: 96, sequenceNumber: 5, timestamp: 0, ssrc: 99), [1])
    send(RTPHeader(payloadType: 111, sequenceNumber: 500, timestamp: 0, ssrc: publisher.ssrcs.video), [1, 2])
    send(RTPHeader(payloadType: 96, sequenceNumber: 501, timestamp: 0, ssrc: publisher.ssrcs.videoRTX), [1, 2, 3])
    send(
      RTPHeader(payloadType: 96, sequenceNumber: 502, timestamp: 0, ssrc: publisher.ssrcs.video),
      [UInt8](repeating: 1, count: 1_401))
    room.turn()
    #expect(others[0].seen.count == 3)
    #expect(room.core.statistics.droppedInvalid == 4)
  }

  @Test func payloadsWithoutSenseAreForwardedAsTheyAre() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    let strange: [[UInt8]] = [
      [], [0x80], [0x80, 0x80], [0x90, 0x80, 0x81], [0x10], [0x90, 0], [0xFF],
    ]
    for payload in strange {
      let header = RTPHeader(
        payloadType: 96, sequenceNumber: publisher.videoSequenceNumber, timestamp: 1, ssrc: publisher.ssrcs.video)
      publisher.videoSequenceNumber &+= 1
      publisher.outgoing.append(publisher.sealed(header, payload: payload))
    }
    room.turn()
    #expect(others[0].seen(video).dropFirst(3).map(\.payload) == strange)
    let numbers = others[0].seen(video).map(\.header.sequenceNumber)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
  }

  /// RFC 7741 section 4.2: a packet may end behind its descriptor, whose numbers go on like those of others; one of 7 bits
  /// gets 15 as all have.
  @Test func aDescriptorWithoutDataHasItsPlaceInTheNumbers() {
    let (room, publisher, others) = connectedRoom()
    publisher.sendPicture(isKey: true)
    room.turn()
    // From here on the subscriber's picture ids differ from the publisher's.
    room.publish(1, .none)
    for _ in 0..<3 { publisher.sendPicture(isKey: true) }
    room.turn()
    room.publish(1, bothForwarded)
    publisher.sendPicture(isKey: true)
    room.turn()
    let last = others[0].seen(video).last?.descriptor?.pictureID ?? 0
    let id = publisher.pictureID
    #expect(last != id)
    for payload in [[0x80, 0x80, UInt8(id >> 8) | 0x80, UInt8(id & 0xFF)], [0x80, 0x80, UInt8(id & 0x7F)]] as [[UInt8]]
    {
      let header = RTPHeader(
        payloadType: 96, sequenceNumber: publisher.videoSequenceNumber, timestamp: publisher.videoTimestamp,
        ssrc: publisher.ssrcs.video)
      publisher.videoSequenceNumber &+= 1
      publisher.outgoing.append(publisher.sealed(header, payload: payload))
    }
    room.turn()
    let seen = others[0].seen(video).suffix(2)
    #expect(seen.map(\.payload.count) == [4, 4])
    #expect(seen.map { $0.descriptor?.pictureID } == [last, last])
  }

  @Test func noDatagramStopsTheServer() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    publisher.sendPicture(isKey: true)
    room.turn()
    var random = SeededRandom(seed: 3)
    let media = publisher.picture(isKey: false, packetCount: 1)[0]
    let addresses = [publisher.address, others[0].address, TransportAddress(ipv4: 1, port: 1)]
    var buffer = [UInt8](repeating: 0, count: 1_500)
    for round in 0..<rounds {
      let length: Int
      if round % 2 == 0 {
        length = Int(random.next() % 200)
        for position in 0..<length { buffer[position] = UInt8(truncatingIfNeeded: random.next()) }
      } else {
        length = Int(random.next() % UInt64(media.count + 1))
        for position in 0..<length { buffer[position] = media[position] }
        if length > 0 { buffer[Int(random.next() % UInt64(length))] ^= UInt8(1 + random.next() % 255) }
      }
      if length > 1, round % 7 == 0 { buffer[0] = [0, 1, 2, 20, 63, 64, 127, 128, 144, 191, 192][round / 7 % 11] }
      if length > 1, round % 5 == 0 { buffer[1] = [192, 200, 201, 205, 206, 223, 224][round / 5 % 7] }
      let address = addresses[round % 3]
      buffer.withUnsafeMutableBytes { bytes in
        room.core.receive(
          datagram: UnsafeMutableRawBufferPointer(rebasing: bytes[..<length]), from: address, now: room.now)
      }
      if round % 1_000 == 0 { room.download() }
    }
    publisher.sendPicture(isKey: false)
    room.turn()
    #expect(others.allSatisfy { $0.seen(video).count == 6 })
  }

  /// Encrypted by a peer that has the keys: what such a one may send is anything at all.
  @Test func noAuthenticPacketStopsTheServer() {
    let (room, publisher, others) = connectedRoom(subscribers: 2)
    var random = SeededRandom(seed: 4)
    var sequenceNumber: UInt16 = 100
    for round in 0..<(rounds / 10) {
      let sender = round % 3 == 0 ? others[0] : publisher
      var bytes = (0..<Int(random.next() % 120)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if random.next() % 4 == 0 {
        let type = [200, 201, 202, 203, 204, 205, 206, 207][Int(random.next() % 8)]
        bytes = [0x80 | UInt8(random.next() % 32), UInt8(type), 0, UInt8(random.next() % 32), 0, 0, 0, 1] + bytes
        if random.next() % 2 == 0, bytes.count >= 12 { bytes.replaceSubrange(8..<12, with: [0, 0x0F, 0x46, 0x2A]) }
        let compound = bytes
        sender.sendRTCP { for byte in compound { $0.append(byte) } }
      } else {
        // Steps of one, jumps ahead and back.
        let jump = random.next() % 50
        sequenceNumber = jump == 0 ? UInt16(truncatingIfNeeded: random.next()) : sequenceNumber &+ UInt16(jump % 3)
        let ssrcs = sender.ssrcs
        let ssrc = [ssrcs.video, ssrcs.video, ssrcs.videoRTX, ssrcs.audio][Int(random.next() % 4)]
        let type: UInt8 = ssrc == ssrcs.audio ? 111 : ssrc == ssrcs.video ? 96 : 97
        let header = RTPHeader(
          marker: random.next() % 2 == 0, payloadType: type, sequenceNumber: sequenceNumber,
          timestamp: UInt32(truncatingIfNeeded: random.next()), ssrc: ssrc)
        sender.outgoing.append(sender.sealed(header, payload: bytes))
      }
      if round % 20 == 0 { room.run(milliseconds: 1) }
      if round % 500 == 0 { others.forEach { $0.seen = [] } }
    }
    let third = room.join(10, publishes: bothForwarded)
    room.route(from: 10, to: 3)
    room.run(milliseconds: 10)
    third.sendPicture(isKey: true)
    room.turn()
    #expect(others[1].seen(routeSSRCs(10).video).count == 3)
    #expect(others[1].rejectedCount == 0)
  }
}
