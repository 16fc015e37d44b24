import MediaBase

/// How many bits a second arrive, from windows of arrivals that are weighed by how much they surprise.
struct AcknowledgedRate {
  private static let firstWindow = MediaDuration.milliseconds(500)
  private static let window = MediaDuration.milliseconds(150)
  private static let longestGap = MediaDuration.seconds(2 as Int64)

  /// In bits per second; `nil` before the first window is full.
  private(set) var bitsPerSecond: Double?
  /// That of the last window alone.
  private var lastWindow: Double?
  private var limit = 0.0
  private var variance = 50.0
  private var windowBegin: MediaInstant?
  private var latest = MediaInstant.zero
  private var bits = 0.0

  /// Takes an arrival; `limit` is what can have arrived at most, in bits per second.
  mutating func add(byteCount: Int, arrival: MediaInstant, limit: Double, isApplicationLimited: Bool) {
    self.limit = limit
    guard let begin = windowBegin, arrival - latest < Self.longestGap, begin - arrival < Self.longestGap else {
      windowBegin = arrival
      latest = arrival
      bits = 0
      return
    }
    latest = max(latest, arrival)
    bits += Double(byteCount) * 8
    let length = latest - begin
    guard length >= (bitsPerSecond == nil ? Self.firstWindow : Self.window) else { return }
    let sample = min(bits / length.seconds, limit)
    lastWindow = sample
    update(sample, isApplicationLimited: isApplicationLimited)
    windowBegin = latest
    bits = 0
  }

  /// As the estimate, but at once after the sender has begun to send more: that rests on what came last.
  var afterGrowth: Double? {
    guard let estimate = bitsPerSecond else { return nil }
    let length = (latest - (windowBegin ?? latest)).seconds
    let running = length >= 0.05 ? bits / length : 0
    return max(estimate, lastWindow ?? 0, min(running, limit))
  }

  /// As the estimate, but at once after the path has become narrower: while a queue stands, what comes is the path's rate.
  var behindQueue: Double? {
    guard let estimate = bitsPerSecond else { return nil }
    return min(estimate, lastWindow ?? estimate)
  }

  private mutating func update(_ sample: Double, isApplicationLimited: Bool) {
    guard let estimate = bitsPerSecond else {
      bitsPerSecond = sample
      return
    }
    // What lies far from the estimate is believed less; a flow that is slow by choice says little about the path.
    let scale = isApplicationLimited && sample < estimate ? 20.0 : 10.0
    let uncertainty = scale * (estimate - sample).magnitude / max(estimate, 1_000)
    let sampleVariance = uncertainty * uncertainty
    let predicted = variance + 5
    let sum = sampleVariance + predicted
    bitsPerSecond = max((sampleVariance * estimate + predicted * sample) / sum, 0)
    variance = sampleVariance * predicted / sum
  }
}

extension Double {
  /// The number, or the smallest one where it is 0: to divide by.
  var nonZero: Double { self == 0 ? .leastNormalMagnitude : self }
}
