import MediaBase

/// Whether the delay grows, by a line through its last values and a threshold that adapts
/// (draft-ietf-rmcat-gcc-02 sections 5.3 to 5.5, with a line in place of the Kalman filter).
struct OveruseDetector {
  enum Usage {
    case normal, overusing, underusing
  }

  private static let windowLength = 20
  private static let smoothing = 0.9
  private static let gain = 4.0
  private static let maximumDeltaCount = 60
  private static let overuseTime = 10.0
  private static let thresholdRange = 6.0...600.0
  private static let thresholdUp = 0.0087
  private static let thresholdDown = 0.039
  /// Spikes this far above the threshold do not move it.
  private static let maximumAdaptation = 15.0

  private struct Sample {
    var arrival: Double
    var delay: Double
  }

  private(set) var usage = Usage.normal
  /// The last samples, as a ring.
  private var samples: [Sample] = []
  private var position = 0
  private var deltaCount = 0
  private var arrival = 0.0
  private var accumulatedDelay = 0.0
  private var smoothedDelay = 0.0
  private var threshold = 12.5
  private var lastThresholdUpdate: MediaInstant?
  private var previousTrend = 0.0
  private var timeOverUsing: Double?
  private var overuseCount = 0

  /// Takes the difference between two groups; all inner numbers are in milliseconds.
  mutating func add(_ delta: PacketGroups.Delta, now: MediaInstant) {
    let difference = (delta.arrival - delta.sending).seconds * 1_000
    deltaCount = min(deltaCount + 1, 1_000)
    arrival += delta.arrival.seconds * 1_000
    accumulatedDelay += difference
    smoothedDelay = Self.smoothing * smoothedDelay + (1 - Self.smoothing) * accumulatedDelay
    let sample = Sample(arrival: arrival, delay: smoothedDelay)
    if samples.count < Self.windowLength {
      if samples.isEmpty { samples.reserveCapacity(Self.windowLength) }
      samples.append(sample)
    } else {
      samples[position] = sample
      position = (position + 1) % Self.windowLength
    }
    detect(trend: samples.count == Self.windowLength ? slope() : previousTrend, sending: delta.sending, now: now)
  }

  private func slope() -> Double {
    var (x, y) = (0.0, 0.0)
    for sample in samples {
      x += sample.arrival
      y += sample.delay
    }
    x /= Double(samples.count)
    y /= Double(samples.count)
    var (numerator, denominator) = (0.0, 0.0)
    for sample in samples {
      numerator += (sample.arrival - x) * (sample.delay - y)
      denominator += (sample.arrival - x) * (sample.arrival - x)
    }
    return denominator > 0 ? numerator / denominator : previousTrend
  }

  private mutating func detect(trend: Double, sending: MediaDuration, now: MediaInstant) {
    defer { previousTrend = trend }
    guard deltaCount > 1 else { return }
    let modified = Double(min(deltaCount, Self.maximumDeltaCount)) * trend * Self.gain
    if modified > threshold {
      let step = sending.seconds * 1_000
      timeOverUsing = timeOverUsing.map { $0 + step } ?? step / 2
      overuseCount += 1
      if let timeOverUsing, timeOverUsing > Self.overuseTime, overuseCount > 1, trend >= previousTrend {
        self.timeOverUsing = 0
        overuseCount = 0
        usage = .overusing
      }
    } else {
      timeOverUsing = nil
      overuseCount = 0
      usage = modified < -threshold ? .underusing : .normal
    }
    adaptThreshold(to: modified.magnitude, now: now)
  }

  private mutating func adaptThreshold(to magnitude: Double, now: MediaInstant) {
    let elapsed = min(max((now - (lastThresholdUpdate ?? now)).seconds * 1_000, 0), 100)
    lastThresholdUpdate = now
    guard magnitude <= threshold + Self.maximumAdaptation else { return }
    let factor = magnitude < threshold ? Self.thresholdDown : Self.thresholdUp
    threshold += factor * (magnitude - threshold) * elapsed
    threshold = min(max(threshold, Self.thresholdRange.lowerBound), Self.thresholdRange.upperBound)
  }
}
