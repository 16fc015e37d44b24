import MediaBase
import RTPWire
import Testing

@testable import ForwardingCore

/// Pictures to subscribers whose paths are narrow.
@Suite("Pacing") struct PacingTests {
  /// How long packets of pictures lie in a line's queue, in order.
  private func waits(_ line: DownlinkRoom.Line?, from begin: MediaInstant) -> [MediaDuration] {
    (line?.waits.filter { $0.time >= begin }.map(\.wait) ?? []).sorted()
  }

  private func isPaced(_ id: UInt64, _ room: DownlinkRoom) -> Bool {
    room.room.core.peersByClient[id].map { room.room.core.peers[$0].isPaced } ?? false
  }

  @Test func `pictures are spread for a narrow path alone, and nothing is left out or out of order`() throws {
    let room = DownlinkRoom(seed: 11)
    room.watch(2, bitsPerSecond: 450_000)
    room.watch(3, bitsPerSecond: 100_000_000)
    room.run(seconds: 6)
    #expect(isPaced(2, room) && !isPaced(3, room))
    let begin = room.now
    room.room.runs = []
    room.run(seconds: 4)
    let viewer = try #require(room.simulcast.viewers[2])
    let pictures = viewer.seen(video).map(\.header.sequenceNumber)
    #expect(pictures.count > 150 && zip(pictures, pictures.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    let sounds = viewer.seen(audio).map(\.header.sequenceNumber)
    #expect(zip(sounds, sounds.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    // At one and a half times the path's rate, next to nothing waits on the line itself.
    let spread = waits(room.lines[2], from: begin)
    #expect(spread.count > 100 && spread.last ?? .zero <= .milliseconds(60))
    let narrow = room.room.runs.filter { $0.destination == viewer.address }
    let wide = room.room.runs.filter { $0.destination == room.simulcast.viewers[3]?.address }
    #expect(narrow.allSatisfy { $0.segmentCount <= 3 })
    #expect(wide.contains { $0.segmentCount >= 2 })
  }

  @Test func `who leaves while its pictures wait leaves nothing behind`() {
    let room = DownlinkRoom(seed: 12)
    for id in 2..<8 as Range<UInt64> { room.watch(id, bitsPerSecond: 300_000) }
    room.run(seconds: 6)
    var waited = 0
    for id in 2..<8 as Range<UInt64> {
      for _ in 0..<200 where room.room.core.pacedPeers.isEmpty { room.run(seconds: 0.001) }
      waited += room.room.core.pacedPeers.count
      room.lines[id] = nil
      room.room.core.removePeer(client: id)
    }
    #expect(waited > 0)
    room.run(seconds: 0.5)
    #expect(room.room.core.pacedPeers.isEmpty && room.room.core.nextPace == nil && room.room.core.routeCount == 0)
  }
}
