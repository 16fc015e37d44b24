import MediaBase
import RTPWire

/// When the packets of a publisher came, for feedback by which it controls its rate
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
struct ArrivalRecorder {
  /// Packets that one feedback tells of at most, and that are kept: more than come between two.
  private static let capacity = 1_024
  /// A jump by more is a new beginning.
  private static let longestGap: Int64 = 512

  private struct Arrival {
    var index: Int64
    var time: MediaInstant
  }

  private var unwrapper = SequenceUnwrapper()
  private var arrivals: [Arrival] = []
  /// The first number that has not been told of.
  private var first: Int64?
  private var lastFeedback: MediaInstant?
  private var feedbackCount: UInt8 = 0

  /// Notes a packet; a number that has been told of already is left out.
  mutating func arrived(_ sequenceNumber: UInt16, now: MediaInstant) {
    let highest = unwrapper.highest
    let index = unwrapper.unwrap(sequenceNumber)
    if let highest, index - highest > Self.longestGap {
      arrivals.removeAll(keepingCapacity: true)
      first = index
    }
    guard arrivals.count < Self.capacity, index >= first ?? index else { return }
    if first == nil {
      first = index
      arrivals.reserveCapacity(Self.capacity)
    }
    // Nearly always the newest.
    var place = arrivals.count
    while place > 0, arrivals[place - 1].index > index { place -= 1 }
    guard place == 0 || arrivals[place - 1].index != index else { return }
    arrivals.insert(Arrival(index: index, time: now), at: place)
  }

  /// Whether feedback should go out now.
  func isDue(now: MediaInstant, interval: MediaDuration) -> Bool {
    !arrivals.isEmpty && now - (lastFeedback ?? .zero) >= interval
  }

  /// Writes feedback on what has not been told of, as much as fits; the rest stays due.
  @_lifetime(output: copy output)
  mutating func write(
    senderSSRC: UInt32, mediaSSRC: UInt32, into output: inout OutputRawSpan, now: MediaInstant
  ) {
    guard let first, let last = arrivals.last else { return }
    var results: [TransportFeedback.PacketResult] = []
    var next = 0
    for index in first...last.index {
      let hasCome = arrivals[next].index == index
      results.append(
        TransportFeedback.PacketResult(
          sequenceNumber: UInt16(truncatingIfNeeded: index), arrivalTime: hasCome ? arrivals[next].time : nil))
      if hasCome { next += 1 }
    }
    let feedback = TransportFeedback(
      senderSSRC: senderSSRC, mediaSSRC: mediaSSRC, feedbackCount: feedbackCount, results: results)
    let count = feedback.write(into: &output)
    guard count > 0 else { return }
    feedbackCount &+= 1
    let told = first + Int64(count)
    self.first = told
    arrivals.removeAll { $0.index < told }
    if arrivals.isEmpty { lastFeedback = now }
  }
}
