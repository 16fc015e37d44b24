import MediaBase

/// How much faster or slower a device's clock runs than the system's, from pairs of times and positions.
///
/// A line through the pairs, old ones counting less and less. Single times may be off by milliseconds (a sound card says
/// its position in steps), so it takes some seconds to know the rate well.
struct ClockDrift {
  /// Samples per second that the device should have.
  private let nominal: Double
  /// Weight falls to a third in this time.
  private static let memory = 8.0
  /// Before so many seconds nothing is said.
  private static let shortest = 3.0
  /// No clock is further off; what is says that the times are wrong.
  private static let largest = 0.03

  private var start: (time: MediaInstant, position: Int64)?
  private var last: MediaInstant?
  // Weighted sums over pairs (t, x): t in seconds before the last pair, x in samples ahead of the nominal clock.
  private var weight = 0.0
  private var sumT = 0.0
  private var sumTT = 0.0
  private var sumX = 0.0
  private var sumTX = 0.0

  init(rate: Int) { nominal = Double(rate) }

  /// Forgets everything: the device has begun anew, and positions do not go with those before.
  mutating func reset() { self = ClockDrift(rate: Int(nominal)) }

  /// At `time` the device had passed `position` samples of each channel since it was started.
  mutating func add(time: MediaInstant, position: Int64) {
    guard let start, let last else {
      self.start = (time, position)
      self.last = time
      weight = 1
      return
    }
    let step = (time - last).seconds
    guard step > 0 else { return }
    self.last = time
    // The times so far move into the past, and lose weight.
    sumTX -= step * sumX
    sumTT += step * step * weight - 2 * step * sumT
    sumT -= step * weight
    let kept = max(0, 1 - step / Self.memory)
    weight *= kept
    sumT *= kept
    sumTT *= kept
    sumX *= kept
    sumTX *= kept
    weight += 1
    sumX += Double(position &- start.position) - (time - start.time).seconds * nominal
  }

  /// The device's rate by the system's clock, divided by its nominal one; `nil` as long as that is not known.
  var ratio: Double? {
    guard let start, let last, (last - start.time).seconds >= Self.shortest else { return nil }
    let spread = weight * sumTT - sumT * sumT
    guard spread > 0 else { return nil }
    let ratio = 1 + (weight * sumTX - sumT * sumX) / spread / nominal
    return abs(ratio - 1) < Self.largest ? ratio : nil
  }
}
