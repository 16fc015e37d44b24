import MediaBase

/// How fast was sent lately.
struct SentRate {
  private static let bucketLength = 0.25
  private static let bucketCount = 8

  /// Bytes since the start; wraps.
  private(set) var total = 0
  private var taken = 0
  private var bucketBits = 0.0
  private var bucketTime = 0.0
  /// Bits per second of the last buckets, as a ring.
  private var rates: [Double] = []
  private var position = 0

  mutating func add(byteCount: Int) { total &+= byteCount }

  /// The bits since the last call, which also end a bucket now and then.
  mutating func close(elapsed: MediaDuration) -> Double {
    let bits = Double(total &- taken) * 8
    taken = total
    bucketBits += bits
    bucketTime += max(elapsed.seconds, 0)
    guard bucketTime >= Self.bucketLength else { return bits }
    let rate = bucketBits / bucketTime
    if rates.count < Self.bucketCount {
      rates.append(rate)
    } else {
      rates[position] = rate
      position = (position + 1) % Self.bucketCount
    }
    bucketBits = 0
    bucketTime = 0
    return bits
  }

  /// The highest rate of the last two seconds, in bits per second.
  var maximum: Double {
    let running = bucketBits / max(bucketTime, Self.bucketLength)
    return max(rates.max() ?? 0, running)
  }
}
