import ForwardingCore
import MediaBase
import Testing

@Suite("Packets of a picture that are gathered")
struct GatheringTests {
  /// A room whose publisher's key frame has been forwarded to all.
  private func room(subscribers: Int) -> (TestRoom, TestPeer, [TestPeer]) {
    let (room, publisher, others) = connectedRoom(subscribers: subscribers)
    publisher.sendPicture(isKey: true)
    room.turn()
    room.runs.removeAll()
    return (room, publisher, others)
  }

  @Test("with many subscribers, the parts of a picture wait for its end and go in one run")
  func waiting() {
    let (room, publisher, others) = room(subscribers: 8)
    let before = others.map { $0.seen(video).count }
    for datagram in publisher.picture(isKey: false, packetCount: 5, byteCount: 900) {
      #expect(room.runs.isEmpty)
      room.inject(datagram, from: publisher.address)
      room.download()
    }
    #expect(room.runs.count == 8 && room.runs.allSatisfy { $0.segmentCount == 5 })
    for (other, count) in zip(others, before) { #expect(other.seen(video).count == count + 5) }
  }

  @Test("what waits goes after half a millisecond, though the end does not come")
  func deadline() throws {
    let (room, publisher, _) = room(subscribers: 8)
    for datagram in publisher.picture(isKey: false, packetCount: 5, byteCount: 900).dropLast() {
      room.inject(datagram, from: publisher.address)
    }
    room.download()
    #expect(room.runs.isEmpty)
    let next = room.core.nextTimeout
    let due = try #require(next)
    #expect(due == room.now + .microseconds(500))
    room.now = due
    room.core.handleTimeout(now: room.now)
    room.download()
    #expect(room.runs.count == 8 && room.runs.allSatisfy { $0.segmentCount == 4 })
    let later = room.core.nextTimeout
    #expect(later.map { $0 > room.now } ?? false)
  }

  @Test("sixteen packets do not wait, and with few subscribers none does")
  func impatience() {
    let (large, publisher, _) = room(subscribers: 8)
    for datagram in publisher.picture(isKey: false, packetCount: 20, byteCount: 900).prefix(16) {
      large.inject(datagram, from: publisher.address)
    }
    large.download()
    #expect(large.runs.count == 8 && large.runs.allSatisfy { $0.segmentCount == 16 })
    let (small, other, _) = room(subscribers: 7)
    small.inject(other.picture(isKey: false, packetCount: 2, byteCount: 900)[0], from: other.address)
    small.download()
    #expect(small.runs.count == 7)
  }

  @Test("a publisher who leaves takes what waits along, and no timer stays")
  func leaving() {
    let (room, publisher, _) = room(subscribers: 8)
    room.inject(publisher.picture(isKey: false, packetCount: 2, byteCount: 900)[0], from: publisher.address)
    room.download()
    for id in room.peers.keys { room.core.removePeer(client: id) }
    room.download()
    let next = room.core.nextTimeout
    #expect(next == nil && room.runs.isEmpty)
  }
}
