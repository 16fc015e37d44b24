import MediaBase

/// How long packets wait on the way, by the one-way delay above the least one of the last 10 to 20 s. The clocks of the two
/// sides need not agree, only go about equally fast.
struct QueueDelay {
  private static let bucketLength = MediaDuration.seconds(10 as Int64)
  /// A step of a clock.
  private static let longestDelay = MediaDuration.seconds(10 as Int64)

  /// The least wait among the packets of the last feedback; `nil` before the first.
  private(set) var value: MediaDuration?
  private var bucketBegin: MediaInstant?
  private var currentMinimum = Int64.max
  private var previousMinimum = Int64.max

  /// Takes the least difference between arrival and sending of one feedback's packets.
  mutating func add(leastDifference difference: MediaDuration, now: MediaInstant) {
    let begin = bucketBegin ?? now
    bucketBegin = begin
    if now - begin > Self.bucketLength {
      previousMinimum = currentMinimum
      currentMinimum = .max
      bucketBegin = now
    }
    currentMinimum = min(currentMinimum, difference.nanoseconds)
    let base = min(currentMinimum, previousMinimum)
    let wait = difference - MediaDuration(nanoseconds: base)
    if wait > Self.longestDelay { return restart(difference) }
    value = wait
  }

  /// Takes the present delay for that of the empty path.
  mutating func restart(_ difference: MediaDuration) {
    currentMinimum = difference.nanoseconds
    previousMinimum = .max
    value = .zero
  }

  /// Takes the present delay for that of the empty path: it did not go down with the rate.
  mutating func acceptAsBase() {
    guard let value else { return }
    let base = min(currentMinimum, previousMinimum)
    restart(MediaDuration(nanoseconds: base) + value)
  }
}
