import MediaBase
import RTPWire
import TestSupport
import Testing

@testable import CongestionControl

@Suite struct ArrivalRecorderTests {
  @Test func `what has been sent and what has not come is counted over the wrap, late ones and jumps included`() {
    var recorder = ArrivalRecorder()
    var (number, sent, lost) = (UInt16(65_000), 0, 0)
    for index in 0..<2_000 {
      defer { number &+= 1 }
      sent += 1
      if index % 10 == 3 {
        lost += 1
      } else {
        recorder.arrived(number, now: .zero + .milliseconds(Int64(index)))
      }
    }
    #expect(recorder.expectedCount == sent && recorder.lostCount == lost)
    // One that was taken for lost.
    recorder.arrived(65_003, now: .zero + .seconds(2 as Int64))
    #expect(recorder.lostCount == lost - 1)
    recorder.arrived(number &+ 5_000, now: .zero + .seconds(3 as Int64))
    #expect(recorder.expectedCount == sent + 1 && recorder.lostCount == lost - 1)
  }

  private static let interval = MediaDuration.milliseconds(50)
  private var recorder = ArrivalRecorder()

  private static func time(_ milliseconds: Int64) -> MediaInstant { .zero + .milliseconds(1_000 + milliseconds) }

  /// What a sender reads of one feedback.
  private mutating func told(_ milliseconds: Int64, room: Int = 1_100) throws -> TransportFeedback {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 8)
    defer { buffer.deallocate() }
    var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
    recorder.write(senderSSRC: 1, mediaSSRC: 2, into: &output, now: Self.time(milliseconds))
    let count = output.finalize(for: buffer)
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes
    return try TransportFeedback(parsing: bytes, at: RTCPPacketLayout(parsing: bytes, at: 0))
  }

  @Test mutating func everyPacketIsToldOfOnceWithItsTime() throws {
    for number in 0..<10 where number != 4 {
      recorder.arrived(UInt16(truncatingIfNeeded: 65_530 + number), now: Self.time(Int64(number) * 5))
    }
    #expect(recorder.isDue(now: Self.time(50), interval: Self.interval))
    let first = try told(50)
    #expect(first.results.map(\.sequenceNumber) == (0..<10).map { UInt16(truncatingIfNeeded: 65_530 + $0) })
    #expect(first.results[4].arrivalTime == nil && first.results.count { $0.arrivalTime == nil } == 1)
    let times = first.results.compactMap(\.arrivalTime)
    #expect(times[1] - times[0] == .milliseconds(5) && first.feedbackCount == 0)
    #expect(!recorder.isDue(now: Self.time(90), interval: Self.interval))
    // Told of as missing: that is put right, once.
    recorder.arrived(65_534, now: Self.time(60))
    recorder.arrived(65_534, now: Self.time(60))
    recorder.arrived(4, now: Self.time(61))
    let second = try told(100)
    #expect(second.results.map(\.sequenceNumber) == [65_534] && second.feedbackCount == 1)
    #expect(recorder.isDue(now: Self.time(100), interval: Self.interval))
    let third = try told(100)
    #expect(third.results.map(\.sequenceNumber) == [4] && third.feedbackCount == 2)
    recorder.arrived(65_531, now: Self.time(110))
    #expect(!recorder.isDue(now: Self.time(300), interval: Self.interval))
  }

  @Test mutating func reorderedAndDoubledPacketsTakeTheirPlaces() throws {
    for number: UInt16 in [1, 3, 2, 3, 2, 5] { recorder.arrived(number, now: Self.time(Int64(number))) }
    let feedback = try told(50)
    #expect(feedback.results.map(\.sequenceNumber) == [1, 2, 3, 4, 5])
    #expect(feedback.results.map { $0.arrivalTime == nil } == [false, false, false, true, false])
  }

  @Test mutating func whatDoesNotFitIsToldNext() throws {
    for number: UInt16 in 0..<500 { recorder.arrived(number, now: Self.time(Int64(number))) }
    let first = try told(500, room: 300)
    #expect(first.results.count < 300 && recorder.isDue(now: Self.time(500), interval: Self.interval))
    let second = try told(500)
    #expect(second.results.first?.sequenceNumber == UInt16(first.results.count))
    #expect(first.results.count + second.results.count == 500)
  }

  @Test(arguments: 0..<20 as Range<UInt64>) mutating func anyNumbersAreBounded(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for step in 0..<5_000 as Range<Int64> {
      recorder.arrived(UInt16(truncatingIfNeeded: random.next()), now: Self.time(step))
      if step % 100 == 0, recorder.isDue(now: Self.time(step), interval: Self.interval) {
        let feedback = try told(step)
        #expect(feedback.results.count <= 65_535)
      }
    }
  }
}
