import MediaBase

/// The rate that the delay allows: up by 8 % a second while it does not grow, slower near the rate at which it grew before;
/// down to 85 % of what arrives when it grows (draft-ietf-rmcat-gcc-02 section 5.5).
struct AIMDRateControl {
  private static let backoff = 0.85
  private static let growth = 0.08
  private static let packetBits = 9_600.0
  private static let slowestGrowth = 4_000.0

  private enum State {
    case hold, increase
  }

  /// In bits per second.
  private(set) var rate: Double
  private(set) var lastDecrease: MediaInstant?
  private var lastRaise: MediaInstant?
  private var state = State.hold
  private var capacity = LinkCapacity()
  private var lastUpdate: MediaInstant?
  private let range: ClosedRange<Double>

  init(rate: Double, range: ClosedRange<Double>) {
    self.rate = rate
    self.range = range
  }

  /// What a probe has shown.
  mutating func setRate(_ value: Double, now: MediaInstant) {
    if value > rate {
      capacity = LinkCapacity()
      lastRaise = now
    }
    rate = clamp(value)
    lastUpdate = now
  }

  /// Whether acknowledged rates may still be those of the time before a probe raised the rate.
  func wasRaised(now: MediaInstant) -> Bool { lastRaise.map { now - $0 < .milliseconds(1_500) } ?? false }

  /// Goes down to what something else than the delay allows.
  mutating func limit(to value: Double) { rate = clamp(min(rate, value)) }

  /// Whether another decrease would come before the last one can have had an effect.
  func isTooEarlyToDecrease(acknowledged: Double?, roundTripTime: MediaDuration, now: MediaInstant) -> Bool {
    guard let lastDecrease else { return false }
    if now - lastDecrease >= min(max(roundTripTime, .milliseconds(10)), .milliseconds(200)) { return false }
    return acknowledged.map { $0 >= 0.5 * rate } ?? true
  }

  /// `limit` is what can have arrived at most, in bits per second, whatever is claimed.
  mutating func update(
    _ usage: OveruseDetector.Usage, acknowledged: Double?, limit: Double, roundTripTime: MediaDuration,
    now: MediaInstant
  ) {
    switch usage {
    case .overusing:
      state = .hold
      if !isTooEarlyToDecrease(acknowledged: acknowledged, roundTripTime: roundTripTime, now: now) {
        decrease(acknowledged: acknowledged, now: now)
      }
    case .underusing: state = .hold  // the queue empties; what is sent now fits
    case .normal:
      if state == .increase {
        increase(acknowledged: acknowledged, limit: limit, roundTripTime: roundTripTime, now: now)
      }
      state = .increase
    }
    lastUpdate = now
  }

  /// Goes down because of the delay, whatever the detector says.
  mutating func decrease(acknowledged: Double?, now: MediaInstant) {
    var next = rate * Self.backoff
    if let acknowledged {
      next = acknowledged * Self.backoff
      // Less was sent than is allowed: the rate of the link when the delay grew before is what is known best.
      if next > rate, let mean = capacity.mean { next = mean * Self.backoff }
      if let upper = capacity.upper, let lower = capacity.lower, acknowledged > upper || acknowledged < lower {
        capacity = LinkCapacity()
      }
      capacity.add(acknowledged)
    }
    lastDecrease = now
    rate = clamp(min(next, rate))
  }

  private mutating func increase(
    acknowledged: Double?, limit: Double, roundTripTime: MediaDuration, now: MediaInstant
  ) {
    if let acknowledged, let upper = capacity.upper, acknowledged > upper { capacity = LinkCapacity() }
    let elapsed = min(max((now - (lastUpdate ?? now)).seconds, 0), 1)
    var next = rate
    if capacity.mean != nil {
      let response = 2 * (roundTripTime.seconds + 0.1)
      next += max(Self.slowestGrowth, Self.packetBits / response) * elapsed
    } else {
      next += max(1_000, rate * Self.growth) * elapsed
    }
    // More than this has not been shown to fit.
    next = min(next, 1.5 * min(acknowledged ?? limit, limit) + 10_000)
    rate = clamp(max(rate, next))
  }

  private func clamp(_ value: Double) -> Double { min(max(value, range.lowerBound), range.upperBound) }
}

/// Mean and spread of the rates at which the delay grew.
private struct LinkCapacity {
  private(set) var mean: Double?
  /// Square of the deviation, divided by the mean, in kb/s.
  private var deviation = 0.4

  mutating func add(_ rate: Double) {
    guard let old = mean else {
      mean = rate
      return
    }
    let updated = 0.95 * old + 0.05 * rate
    mean = updated
    let error = (updated - rate) / 1_000
    deviation = min(max(0.95 * deviation + 0.05 * error * error / max(updated / 1_000, 1), 0.4), 2.5)
  }

  var upper: Double? { mean.map { $0 + 3 * spread($0) } }
  var lower: Double? { mean.map { max(0, $0 - 3 * spread($0)) } }

  private func spread(_ mean: Double) -> Double { (deviation * mean / 1_000).squareRoot() * 1_000 }
}
