import MediaBase
import RTPWire

/// The time to the other side and back, smoothed.
///
/// A side that sends learns it from report blocks (RFC 3550 section 6.4.1). One that only receives has nothing to be
/// reported on, and takes the time from a request for retransmission to its answer.
struct RoundTripEstimator {
  private(set) var value: MediaDuration?
  private var fromReports = false

  mutating func received(_ block: RTCPReportBlock, now: MediaInstant) {
    guard block.lastSenderReport != 0 else { return }
    let arrival = NTPTime.middle(NTPTime.timestamp(now))
    let units = arrival &- block.lastSenderReport &- block.delaySinceLastSenderReport
    // A negative difference is a clock's rounding if it is tiny, and nonsense otherwise.
    guard Int32(bitPattern: units) > -66 else { return }
    let sample = NTPTime.duration(UInt32(bitPattern: max(Int32(bitPattern: units), 0)))
    guard sample <= .seconds(10 as Int64) else { return }
    if !fromReports { value = nil }
    fromReports = true
    add(sample)
  }

  mutating func answeredRetransmission(after time: MediaDuration) {
    guard !fromReports, time >= .zero, time <= .seconds(10 as Int64) else { return }
    add(time)
  }

  private mutating func add(_ sample: MediaDuration) {
    guard let old = value else {
      value = sample
      return
    }
    value = old + (sample - old) / 8
  }
}
