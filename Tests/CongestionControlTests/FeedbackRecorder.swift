import MediaBase
import RTPWire

/// The receiving side: reports every 50 ms what has come, in real bytes.
struct FeedbackRecorder {
  private var arrivals: [Int64: MediaInstant] = [:]
  private var unwrapper = SequenceUnwrapper()
  private var nextBase: Int64?
  private var count: UInt8 = 0

  mutating func received(_ number: UInt16, at time: MediaInstant) {
    let index = unwrapper.unwrap(number)
    arrivals[index] = time
    // What comes late is reported again, with all that came after it.
    nextBase = min(nextBase ?? index, index)
  }

  mutating func makeFeedback() throws -> TransportFeedback? {
    guard let base = nextBase, let highest = unwrapper.highest, base <= highest, highest - base < 4_000 else {
      return nil
    }
    var results: [TransportFeedback.PacketResult] = []
    for index in base...highest {
      results.append(.init(sequenceNumber: UInt16(truncatingIfNeeded: index), arrivalTime: arrivals[index]))
    }
    guard results.contains(where: { $0.arrivalTime != nil }) else { return nil }
    let feedback = TransportFeedback(senderSSRC: 1, mediaSSRC: 2, feedbackCount: count, results: results)
    var written = 0
    let bytes = [UInt8](capacity: 16_000) { output in written = feedback.write(into: &output) }
    guard written > 0 else { return nil }
    count &+= 1
    nextBase = base + Int64(written) > highest ? nil : base + Int64(written)
    for index in arrivals.keys where index < highest - 4_000 { arrivals[index] = nil }
    let layout = try RTCPPacketLayout(parsing: bytes.span.bytes, at: 0)
    return try TransportFeedback(parsing: bytes.span.bytes, at: layout)
  }
}

extension [UInt8] {
  init(capacity: Int, _ body: (inout OutputRawSpan) -> Void) {
    self = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var output = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
      body(&output)
      count = output.finalize(for: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}
