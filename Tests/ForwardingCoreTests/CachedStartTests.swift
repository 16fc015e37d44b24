import ForwardingCore
import MediaBase
import RTPWire
import Testing

@Suite("Subscribers who begin with what is kept")
struct CachedStartTests {
  /// A room whose publisher has one subscriber, 2, to whom a key frame and some pictures have gone.
  private func room(
    pictures: Int = 3, _ limit: CachedStart = CachedStart(), change: ([[UInt8]]) -> [[UInt8]] = { $0 }
  ) -> (TestRoom, TestPeer) {
    var configuration = ForwardingConfiguration()
    configuration.cachedStart = limit
    let (room, publisher, _) = connectedRoom(configuration)
    var datagrams = publisher.picture(isKey: true, packetCount: 4)
    for _ in 0..<pictures { datagrams += publisher.picture(isKey: false, packetCount: 2) }
    for datagram in change(datagrams) {
      room.inject(datagram, from: publisher.address)
      room.download()
      room.now = room.now + .milliseconds(1)
    }
    publisher.keyFrameRequestCount = 0
    return (room, publisher)
  }

  private func join(_ room: TestRoom, _ id: UInt64 = 3) -> TestPeer {
    let newcomer = room.join(id)
    room.route(from: 1, to: id)
    room.run(milliseconds: 20)
    return newcomer
  }

  /// Whether the packets are one stream without gaps, from a key frame on.
  private func expectStream(_ peer: TestPeer, count: Int) {
    let seen = peer.seen(video).sorted { Int16(bitPattern: $0.header.sequenceNumber &- $1.header.sequenceNumber) < 0 }
    #expect(seen.count == count)
    for (one, next) in zip(seen, seen.dropFirst()) {
      #expect(next.header.sequenceNumber == one.header.sequenceNumber &+ 1)
      #expect(Int32(bitPattern: next.header.timestamp &- one.header.timestamp) >= 0)
    }
    #expect(seen.first?.descriptor?.startsPartition == true && (seen.first?.body.first ?? 1) & 1 == 0)
  }

  @Test("a newcomer gets the last key frame and all that follows at once, then goes on; none is asked for")
  func start() {
    let (room, publisher) = room()
    let newcomer = join(room)
    expectStream(newcomer, count: 10)
    publisher.sendPicture(isKey: false)
    room.turn()
    expectStream(newcomer, count: 13)
    #expect(publisher.keyFrameRequestCount == 0)
    let starts = room.core.statistics.cachedStarts
    #expect(starts == 1)
  }

  @Test("what it got of the kept packets is sent again when it asks")
  func retransmission() {
    let (room, _) = room()
    let newcomer = join(room)
    let numbers = newcomer.seen(video).map(\.header.sequenceNumber)
    newcomer.sendNACK(video, Array(numbers[2...5]))
    room.turn()
    let again = newcomer.seen(videoRTX)
    #expect(again.map { UInt16($0.payload[0]) << 8 | UInt16($0.payload[1]) } == Array(numbers[2...5]))
  }

  @Test("packets that came late are in their place")
  func late() {
    // The second packet of the key frame comes first of all, the last but one of all at the end.
    let (room, publisher) = room { datagrams in
      var order = datagrams
      order.swapAt(0, 1)
      order.append(order.remove(at: order.count - 2))
      return order
    }
    let newcomer = join(room)
    expectStream(newcomer, count: 10)
    #expect(publisher.keyFrameRequestCount == 0)
  }

  @Test("while a packet is missing, a key frame is asked for; once it has come, newcomers begin at once")
  func lost() {
    var missing: [UInt8] = []
    let (room, publisher) = room { datagrams in
      missing = datagrams[6]
      return datagrams.filter { $0 != datagrams[6] }
    }
    let first = join(room, 3)
    room.run(milliseconds: 100)
    #expect(first.seen(video).isEmpty && publisher.keyFrameRequestCount > 0)
    room.inject(missing, from: publisher.address)
    room.download()
    publisher.keyFrameRequestCount = 0
    expectStream(join(room, 4), count: 10)
  }

  @Test("too old, too many packets or too many bytes: then a key frame is asked for as ever")
  func limits() {
    for (limit, wait) in [
      (CachedStart(age: .milliseconds(500)), 600), (CachedStart(packetCount: 9), 0), (CachedStart(byteCount: 1_999), 0),
    ] {
      let (room, publisher) = room(limit)
      room.run(milliseconds: wait)
      publisher.keyFrameRequestCount = 0
      let newcomer = join(room)
      room.run(milliseconds: 100)
      #expect(newcomer.seen(video).isEmpty && publisher.keyFrameRequestCount > 0, "\(limit)")
    }
    let (room, publisher) = room(CachedStart(packetCount: 10, byteCount: 2_000))
    expectStream(join(room), count: 10)
    #expect(publisher.keyFrameRequestCount == 0)
  }

  @Test("nothing from before the track was published again is given to anybody")
  func republished() {
    let (room, publisher) = room()
    room.publish(1, .none)
    room.publish(1, bothForwarded)
    let newcomer = join(room)
    room.run(milliseconds: 100)
    #expect(newcomer.seen(video).isEmpty && publisher.keyFrameRequestCount > 0)
  }
}
