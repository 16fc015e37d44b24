import MediaBase

/// Sees a queue that stays long without growing, which a detector of growth is blind to.
struct StandingQueue {
  private static let length = MediaDuration.milliseconds(150)
  private static let patience = MediaDuration.seconds(1 as Int64)
  private static let maximumDecreases = 3

  private var since: MediaInstant?
  private var first: MediaDuration?
  private var decreases = 0

  /// Whether going down has not made the queue shorter: then it is not ours, or no queue at all.
  var isForeign: Bool { decreases > Self.maximumDecreases }

  /// Whether the rate should go down now.
  mutating func update(_ delay: MediaDuration, now: MediaInstant) -> Bool {
    guard delay > Self.length else {
      self = StandingQueue()
      return false
    }
    guard let since else {
      self.since = now
      first = delay
      return false
    }
    guard now - since >= Self.patience else { return false }
    self.since = now
    if let first, delay < first * 3 / 4 { decreases = 0 }
    decreases += 1
    return true
  }
}
