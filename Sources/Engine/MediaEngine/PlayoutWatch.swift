import MediaBase

/// Notices a speaker that asks for sound too late again and again: what a listener hears as crackling.
struct PlayoutWatch {
  /// Asking so much later than what has been asked for lasts is a gap. Clocks that drift apart come to one in many minutes.
  static let gap = MediaDuration.milliseconds(60)
  /// So many gaps within `window` are told, and others not before `pause` is over.
  static let gapCount = 3
  static let window = MediaDuration.seconds(5 as Int64)
  static let pause = MediaDuration.seconds(30 as Int64)
  /// The playout has been stopped meanwhile, or the machine has slept.
  private static let longest = MediaDuration.seconds(2 as Int64)
  /// What devices ask for in advance at most.
  private static let longestLead = MediaDuration.milliseconds(500)
  private static let step = MediaDuration.milliseconds(10)

  /// Until when what has been asked for lasts.
  private var end: MediaInstant?
  private var gaps: [MediaInstant] = []
  private var toldTime: MediaInstant?

  /// The speaker asks for 10 ms; whether its gaps are to be told.
  mutating func asked(now: MediaInstant) -> Bool {
    guard let end, now - end < Self.longest else {
      self.end = now + Self.step
      gaps.removeAll()
      return false
    }
    guard now - end >= Self.gap else {
      self.end = min(end + Self.step, now + Self.longestLead)
      return false
    }
    self.end = now + Self.step
    gaps.removeAll { now - $0 > Self.window }
    gaps.append(now)
    guard gaps.count >= Self.gapCount else { return false }
    gaps.removeAll()
    if let toldTime, now - toldTime < Self.pause { return false }
    toldTime = now
    return true
  }
}
