public import MediaBase
import RTPWire

/// When the packets of a sender came, for feedback by which it controls its rate
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
public struct ArrivalRecorder: Sendable {
  /// Packets that one feedback tells of at most, and that are kept: more than come between two.
  private static let capacity = 1_024
  /// A jump by more is a new beginning.
  private static let longestGap: Int64 = 512
  /// Missing packets that may still be told of as late.
  private static let maximumMissing = 64

  private struct Arrival {
    var index: Int64
    var time: MediaInstant
  }

  private var unwrapper = SequenceUnwrapper()
  private var arrivals: [Arrival] = []
  /// The first number that has not been told of.
  private var first: Int64?
  private var lastFeedback: MediaInstant?
  /// Told of as missing, and not told of since, ascending.
  private var missing: [Int64] = []
  /// Those of `missing` that have come after all.
  private var late: [Arrival] = []
  /// Numbers between the first and the highest that has come, and those of them that have come, since the beginning.
  public private(set) var expectedCount = 0
  private var arrivedCount = 0
  /// What is written, and what writing needs: kept, so that it takes memory once.
  private var feedback = TransportFeedback(senderSSRC: 0, mediaSSRC: 0, feedbackCount: 0, results: [])
  private var scratch = TransportFeedback.Scratch()

  /// Nothing has come.
  public init() {}

  /// How many of `expectedCount` have not come.
  public var lostCount: Int { max(0, expectedCount - arrivedCount) }

  /// Notes a packet; a number that has been told of as received is left out.
  public mutating func arrived(_ sequenceNumber: UInt16, now: MediaInstant) {
    let highest = unwrapper.highest
    let index = unwrapper.unwrap(sequenceNumber)
    count(index, after: highest)
    if let highest, index - highest > Self.longestGap {
      arrivals.removeAll(keepingCapacity: true)
      first = index
      missing.removeAll(keepingCapacity: true)
    }
    if let first, index < first { return arrivedLate(index, now: now) }
    guard arrivals.count < Self.capacity else { return }
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

  private mutating func count(_ index: Int64, after highest: Int64?) {
    let step = highest.map { index - $0 } ?? 1
    // A number is used once: what comes from before is late, not twice. What is lost in a jump nobody knows.
    expectedCount &+= step > Self.longestGap ? 1 : Int(max(0, step))
    arrivedCount &+= 1
  }

  /// Whether feedback should go out now.
  public func isDue(now: MediaInstant, interval: MediaDuration) -> Bool {
    (!arrivals.isEmpty || !late.isEmpty) && (lastFeedback.map { now - $0 >= interval } ?? true)
  }

  /// When feedback will be due; `nil` if there is nothing to tell.
  public func deadline(interval: MediaDuration) -> MediaInstant? {
    guard let oldest = arrivals.first ?? late.first else { return nil }
    return lastFeedback.map { $0 + interval } ?? oldest.time
  }

  private mutating func arrivedLate(_ index: Int64, now: MediaInstant) {
    guard let place = missing.lastIndex(of: index) else { return }
    missing.remove(at: place)
    late.append(Arrival(index: index, time: now))
  }

  /// Writes feedback on what has not been told of, as much as fits; the rest stays due.
  @_lifetime(output: copy output)
  public mutating func write(
    senderSSRC: UInt32, mediaSSRC: UInt32, into output: inout OutputRawSpan, now: MediaInstant
  ) {
    // One that was wrongly told of as missing goes by itself: feedback has no way to leave numbers out.
    if let arrival = late.first {
      late.removeFirst()
      feedback.results.removeAll(keepingCapacity: true)
      append(arrival.index, arrival.time)
      _ = writeResults(senderSSRC, mediaSSRC, into: &output)
      if arrivals.isEmpty, late.isEmpty { lastFeedback = now }
      return
    }
    guard let first, let last = arrivals.last else { return }
    feedback.results.removeAll(keepingCapacity: true)
    var next = 0
    for index in first...last.index {
      let hasCome = arrivals[next].index == index
      append(index, hasCome ? arrivals[next].time : nil)
      if hasCome { next += 1 }
    }
    let count = writeResults(senderSSRC, mediaSSRC, into: &output)
    guard count > 0 else { return }
    for (offset, result) in feedback.results.prefix(count).enumerated() where result.arrivalTime == nil {
      missing.append(first + Int64(offset))
    }
    if missing.count > Self.maximumMissing { missing.removeFirst(missing.count - Self.maximumMissing) }
    let told = first + Int64(count)
    self.first = told
    arrivals.removeAll { $0.index < told }
    if arrivals.isEmpty { lastFeedback = now }
  }

  private mutating func append(_ index: Int64, _ arrival: MediaInstant?) {
    feedback.results.append(
      TransportFeedback.PacketResult(sequenceNumber: UInt16(truncatingIfNeeded: index), arrivalTime: arrival))
  }

  @_lifetime(output: copy output)
  private mutating func writeResults(
    _ senderSSRC: UInt32, _ mediaSSRC: UInt32, into output: inout OutputRawSpan
  ) -> Int {
    feedback.senderSSRC = senderSSRC
    feedback.mediaSSRC = mediaSSRC
    let count = feedback.write(into: &output, using: &scratch)
    if count > 0 { feedback.feedbackCount &+= 1 }
    return count
  }
}
