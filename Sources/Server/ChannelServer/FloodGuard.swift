import MediaBase

/// Decides when datagrams of strangers are dropped by the kernel, so that they wake nobody.
///
/// A stranger's datagram costs little, but each one that comes alone wakes the worker. Some are normal: checks of users who
/// have left, scans. While there are so many that it matters, only those are let in who are known. A filter takes some
/// time to make for many users: while they come faster than it could be made anew, everything is let in for moments.
struct FloodGuard {
  enum Step: Equatable {
    case none
    /// Let only those in who are known at this moment.
    case filter
    /// Let everything in.
    case open
  }

  private enum Phase: Equatable {
    case quiet
    /// A filter is on that knows so many additions.
    case filtering(additions: UInt64)
    /// Somebody came; the next filter may be made at this time.
    case pausing(until: MediaInstant)
  }

  /// Strangers' datagrams in `window` that make a flood: at 5,000 a second they cost a hundredth of a core.
  static let threshold: UInt64 = 500
  static let window = MediaDuration.milliseconds(100)
  /// Least time between two filters.
  static let filterInterval = MediaDuration.milliseconds(50)
  /// How long after its end a flood is expected to come back.
  static let patience = MediaDuration.seconds(Int64(2))

  private var phase = Phase.quiet
  private var windowStart = MediaInstant.zero
  private var countAtStart: UInt64 = 0
  private var lastFilter = MediaInstant.zero
  private var lastFlood = MediaInstant.zero
  private var lastRefused: UInt32?
  private var refusedTotal: UInt64 = 0

  /// Between two looks while nothing else happens, since what is kept out wakes nobody.
  private static let reviewInterval = MediaDuration.seconds(Int64(1))

  /// When `review` wants to be called if there is no turn before; `nil` while everything is let in.
  var nextReview: MediaInstant? { phase == .quiet ? nil : windowStart + Self.reviewInterval }

  /// Looks whether something has to be done; called with every turn.
  ///
  /// - Parameters:
  ///   - strangers: datagrams from and for nobody known that have come in so far.
  ///   - additions: how many senders have become known so far.
  ///   - refused: datagrams that the kernel has dropped so far, modulo 2^32; read once in `window` only.
  mutating func review(
    strangers: UInt64, additions: UInt64, refused: @autoclosure () -> UInt32, now: MediaInstant
  ) -> Step {
    if now - windowStart >= Self.window || strangers &- countAtStart >= Self.threshold {
      closeWindow(strangers: strangers, refused: refused(), now: now)
    }
    let isFlooded = lastFlood > .zero && now - lastFlood < Self.patience
    switch phase {
    case .quiet:
      guard isFlooded else { return .none }
    case .filtering(let known):
      guard isFlooded else {
        phase = .quiet
        return .open
      }
      guard known != additions else { return .none }
      guard now - lastFilter >= Self.filterInterval else {
        phase = .pausing(until: lastFilter + Self.filterInterval)
        return .open
      }
    case .pausing(let end):
      guard isFlooded else {
        phase = .quiet
        return .none
      }
      guard now >= end else { return .none }
    }
    lastFilter = now
    phase = .filtering(additions: additions)
    return .filter
  }

  /// Datagrams that the kernel has dropped since the first look at its counter.
  mutating func refusedDatagrams(_ counter: UInt32) -> UInt64 {
    refusedTotal &+= UInt64(counter &- (lastRefused ?? counter))
    lastRefused = counter
    return refusedTotal
  }

  private mutating func closeWindow(strangers: UInt64, refused: UInt32, now: MediaInstant) {
    let before = refusedTotal
    let count = strangers &- countAtStart &+ (refusedDatagrams(refused) &- before)
    // A window that was longer, since nothing came, holds more.
    let windows = max((now - windowStart).nanoseconds / Self.window.nanoseconds, 1)
    if count >= Self.threshold &* UInt64(windows) { lastFlood = now }
    windowStart = now
    countAtStart = strangers
  }
}
