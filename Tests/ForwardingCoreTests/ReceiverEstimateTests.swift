import ForwardingCore
import MediaBase
import RTPWire
import Testing

/// Publishers who leave it to the server to find out how much they may send (REMB).
@Suite struct ReceiverEstimateTests {
  private static let sendTimeID: UInt8 = 5

  private func publisher(in room: TestRoom, wants: Bool = true) -> TestPeer {
    var format = ForwardedFormat(transportSequenceExtensionID: 0)
    format.extensions.sendTimeID = Self.sendTimeID
    format.wantsReceiverEstimate = wants
    return room.join(1, publishes: bothForwarded, format: format)
  }

  /// A picture of `byteCount` bytes every 33 ms, sent at once, over a line of `bitsPerSecond`.
  private func run(_ room: TestRoom, _ publisher: TestPeer, seconds: Int, byteCount: Int, bitsPerSecond: Int64) {
    var isFree = room.now
    var flights: [(due: MediaInstant, datagram: [UInt8])] = []
    for millisecond in 0..<seconds * 1_000 {
      room.run(milliseconds: 1)
      if millisecond % 33 == 0 {
        publisher.videoTimestamp &+= 2_970
        for left in stride(from: byteCount, to: 0, by: -1_000) {
          let units = UInt32(truncatingIfNeeded: room.now.nanoseconds &* 4_096 / 15_625_000)
          let element = [
            Self.sendTimeID << 4 | 2, UInt8(units >> 16 & 255), UInt8(units >> 8 & 255), UInt8(units & 255),
          ]
          let header = RTPHeader(
            marker: left <= 1_000, payloadType: 96, sequenceNumber: publisher.videoSequenceNumber,
            timestamp: publisher.videoTimestamp, ssrc: publisher.ssrcs.video)
          publisher.videoSequenceNumber &+= 1
          let payload = [0x10, 0x11] + [UInt8](repeating: 1, count: min(left, 1_000) - 2)
          let datagram = publisher.sealed(header, elements: element, twoByte: false, payload: payload)
          isFree =
            max(isFree, room.now)
            + MediaDuration(nanoseconds: Int64(datagram.count + 28) * 8_000_000_000 / bitsPerSecond)
          flights.append((isFree + .milliseconds(20), datagram))
        }
      }
      publisher.outgoing += flights.filter { $0.due <= room.now }.map(\.datagram)
      flights.removeAll { $0.due <= room.now }
    }
  }

  @Test func `they are told every second, for their video, more than comes while there is room`() {
    let room = TestRoom()
    let publisher = publisher(in: room)
    // 0.5 Mb/s of 5.
    run(room, publisher, seconds: 10, byteCount: 2_000, bitsPerSecond: 5_000_000)
    #expect((8...12).contains(publisher.estimates.count))
    #expect(publisher.estimates.allSatisfy { $0.ssrcs == [publisher.ssrcs.video] })
    #expect((650_000...900_000).contains(publisher.estimates.last?.bitrate ?? 0))
  }

  @Test func `they are told less, and soon, when what they send begins to wait`() {
    let room = TestRoom()
    let publisher = publisher(in: room)
    run(room, publisher, seconds: 8, byteCount: 4_000, bitsPerSecond: 5_000_000)
    #expect(publisher.estimates.last?.bitrate ?? 0 > 1_200_000)
    let count = publisher.estimates.count
    run(room, publisher, seconds: 2, byteCount: 4_000, bitsPerSecond: 600_000)
    #expect(publisher.estimates.count > count)
    #expect((300_000...620_000).contains(publisher.estimates.last?.bitrate ?? 0))
  }

  @Test func `others are not told`() {
    let room = TestRoom()
    let publisher = publisher(in: room, wants: false)
    run(room, publisher, seconds: 4, byteCount: 2_000, bitsPerSecond: 5_000_000)
    #expect(publisher.estimates.isEmpty && publisher.rejectedCount == 0)
  }
}
