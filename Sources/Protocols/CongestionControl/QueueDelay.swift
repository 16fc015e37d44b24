import MediaBase

/// How long packets wait on the way, by the one-way delay above the least one of the last 10 to 20 s. The clocks of the two
/// sides need not agree, only go about equally fast.
struct QueueDelay {
  private static let bucketLength = MediaDuration.seconds(10 as Int64)
  /// A step of a clock.
  /// From this on growth is believed without further proof.
  private static let long = MediaDuration.milliseconds(80)
  private static let growth = MediaDuration.milliseconds(15)
  private static let longestDelay = MediaDuration.seconds(10 as Int64)

  /// The least wait among the packets of the last feedback; `nil` before the first.
  private(set) var value: MediaDuration?
  /// Whether a long wait has become longer twice in a row.
  private(set) var isGrowing = false
  private var growthCount = 0
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
    growthCount = wait - (value ?? wait) >= Self.growth ? growthCount + 1 : 0
    isGrowing = growthCount >= 2 && wait >= Self.long
    value = wait
  }

  /// Takes the present delay for that of the empty path.
  mutating func restart(_ difference: MediaDuration) {
    currentMinimum = difference.nanoseconds
    previousMinimum = .max
    growthCount = 0
    isGrowing = false
    value = .zero
  }

  /// Takes the present delay for that of the empty path: it did not go down with the rate.
  mutating func acceptAsBase() {
    guard let value else { return }
    let base = min(currentMinimum, previousMinimum)
    restart(MediaDuration(nanoseconds: base) + value)
  }
}
