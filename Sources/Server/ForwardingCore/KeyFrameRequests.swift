import MediaBase

/// When to ask a publisher for a key frame: at once for whoever cannot show anything, then again until it comes; in
/// measured steps for those who lost something. A publisher who sends nothing is left alone after a few requests.
struct KeyFrameRequests {
  private static let maximumDoublings: Int64 = 3
  /// A publisher of whom nothing has come since is asked this often, and again when something comes.
  private static let maximumSilentRequests = 5

  /// Subscribers that get nothing until a key frame starts.
  private(set) var waitingCount = 0
  /// One of them has come since the last request.
  private var hasNewcomer = false
  /// A subscriber that already receives has asked.
  private var isAskedFor = false
  /// Requests since the last newcomer or key frame, beyond the first.
  private var repetitions: Int64 = 0
  /// Requests since the last packet or newcomer.
  private var silentRequests = 0
  private var askedAt = MediaInstant.zero
  private var lastRequest: MediaInstant?
  private var lastKeyFrame: MediaInstant?

  mutating func subscriberWaits(now: MediaInstant) {
    waitingCount += 1
    hasNewcomer = true
    repetitions = 0
    silentRequests = 0
    askedAt = now
  }

  mutating func subscriberStopsWaiting() { waitingCount = max(waitingCount - 1, 0) }

  /// A packet has come: requests that had stopped go on.
  mutating func packetArrived() { silentRequests = 0 }

  mutating func askedBySubscriber(now: MediaInstant) {
    isAskedFor = true
    askedAt = now
  }

  mutating func keyFrameStarted(now: MediaInstant) {
    lastKeyFrame = now
    repetitions = 0
    hasNewcomer = false
    isAskedFor = false
  }

  /// Forgets what was asked, not who waits.
  mutating func cancel() {
    isAskedFor = false
    hasNewcomer = false
    silentRequests = 0
  }

  /// When to send the next request; in the past if it may go at once.
  func deadline(_ configuration: ForwardingConfiguration) -> MediaInstant? {
    let earliest = lastRequest.map { $0 + configuration.keyFrameRequestInterval } ?? askedAt
    if waitingCount > 0 {
      guard !hasNewcomer, let lastRequest else { return earliest }
      // Who sends nothing, for example since its camera is off, has nothing to begin anew.
      guard silentRequests < Self.maximumSilentRequests else { return nil }
      // A publisher that does not answer is asked ever less often.
      let wait = configuration.keyFrameRepeatInterval * (1 &<< min(repetitions, Self.maximumDoublings))
      return max(earliest, lastRequest + wait)
    }
    guard isAskedFor else { return nil }
    guard let lastKeyFrame else { return earliest }
    return max(earliest, lastKeyFrame + configuration.keyFrameHoldoff)
  }

  /// Whether to send a request now; counts it as sent.
  mutating func takeDue(now: MediaInstant, _ configuration: ForwardingConfiguration) -> Bool {
    guard let deadline = deadline(configuration), deadline <= now else { return false }
    if waitingCount > 0, !hasNewcomer { repetitions += 1 }
    silentRequests += 1
    lastRequest = now
    hasNewcomer = false
    isAskedFor = false
    return true
  }
}
