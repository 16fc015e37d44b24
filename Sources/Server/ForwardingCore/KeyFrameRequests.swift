import MediaBase

/// When to ask a publisher for a key frame: at once for whoever cannot show anything, then again until it comes; in
/// measured steps for those who lost something.
struct KeyFrameRequests {
  /// Subscribers that get nothing until a key frame starts.
  private(set) var waitingCount = 0
  /// One of them has come since the last request.
  private var hasNewcomer = false
  /// A subscriber that already receives has asked.
  private var isAskedFor = false
  private var askedAt = MediaInstant.zero
  private var lastRequest: MediaInstant?
  private var lastKeyFrame: MediaInstant?

  mutating func subscriberWaits(now: MediaInstant) {
    waitingCount += 1
    hasNewcomer = true
    askedAt = now
  }

  mutating func subscriberStopsWaiting() { waitingCount = max(waitingCount - 1, 0) }

  mutating func askedBySubscriber(now: MediaInstant) {
    isAskedFor = true
    askedAt = now
  }

  mutating func keyFrameStarted(now: MediaInstant) {
    lastKeyFrame = now
    hasNewcomer = false
    isAskedFor = false
  }

  /// Forgets what was asked, not who waits.
  mutating func cancel() {
    isAskedFor = false
    hasNewcomer = false
  }

  /// When to send the next request; in the past if it may go at once.
  func deadline(_ configuration: ForwardingConfiguration) -> MediaInstant? {
    let earliest = lastRequest.map { $0 + configuration.keyFrameRequestInterval } ?? askedAt
    if waitingCount > 0 {
      guard !hasNewcomer, let lastRequest else { return earliest }
      return max(earliest, lastRequest + configuration.keyFrameRepeatInterval)
    }
    guard isAskedFor else { return nil }
    guard let lastKeyFrame else { return earliest }
    return max(earliest, lastKeyFrame + configuration.keyFrameHoldoff)
  }

  /// Whether to send a request now; counts it as sent.
  mutating func takeDue(now: MediaInstant, _ configuration: ForwardingConfiguration) -> Bool {
    guard let deadline = deadline(configuration), deadline <= now else { return false }
    lastRequest = now
    hasNewcomer = false
    isAskedFor = false
    return true
  }
}
