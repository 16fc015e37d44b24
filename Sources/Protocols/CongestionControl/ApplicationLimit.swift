import MediaBase

/// Whether clearly less is sent than the estimate allows, so that acknowledged rates tell about the application and not
/// about the path.
struct ApplicationLimit {
  private static let utilization = 0.65
  private static let window = 0.5
  private static let begin = 0.8
  private static let end = 0.5

  private(set) var isLimited = false
  /// When it last stopped.
  private var lastEnd: MediaInstant?
  /// Bits that could have been sent and were not, up to those of a window.
  private var unused = 0.0

  /// Whether acknowledged rates may still be those of the time when it was limited.
  func wasLimited(now: MediaInstant) -> Bool {
    isLimited || lastEnd.map { now - $0 < .milliseconds(1_500) } ?? false
  }

  /// Takes what has been sent in the time since the last call.
  mutating func update(sentBits: Double, elapsed: MediaDuration, estimate: Double, now: MediaInstant) {
    let full = estimate * Self.utilization * Self.window
    let allowed = estimate * Self.utilization * min(max(elapsed.seconds, 0), 1)
    unused = min(max(unused + allowed - sentBits, -full), full)
    if unused > full * Self.begin {
      isLimited = true
    } else if unused < full * Self.end, isLimited {
      isLimited = false
      lastEnd = now
    }
  }
}
