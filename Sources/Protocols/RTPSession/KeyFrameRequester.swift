import MediaBase

/// When to send a picture loss indication, and when to send it again.
struct KeyFrameRequester {
  private static let shortestInterval = MediaDuration.milliseconds(200)
  /// While nothing comes at all, requests become rarer up to this ...
  private static let longestInterval = MediaDuration.seconds(2 as Int64)
  /// ... and stop: there is nobody who could answer.
  private static let maximumUnanswered = 10

  private(set) var isWanted = false
  /// When the next request is due.
  private(set) var deadline: MediaInstant?
  private var lastRequest: MediaInstant?
  /// Requests since a packet came.
  private var unanswered = 0

  /// A key frame is needed: ask at once, or as soon as the last request is old enough.
  mutating func want(now: MediaInstant, roundTripTime: MediaDuration?) {
    isWanted = true
    unanswered = 0
    let earliest = lastRequest.map { $0 + interval(roundTripTime) } ?? now
    deadline = .earliest(deadline, max(now, earliest))
  }

  mutating func keyFrameArrived() {
    isWanted = false
    deadline = nil
    // The next loss has nothing to do with the requests before.
    lastRequest = nil
  }

  mutating func packetArrived(now: MediaInstant) {
    unanswered = 0
    if isWanted, deadline == nil { deadline = now }
  }

  mutating func stop() {
    isWanted = false
    deadline = nil
  }

  /// Whether to ask now. With `isArriving` a key frame is on its way in, and another one would only delay it.
  mutating func takeDue(now: MediaInstant, roundTripTime: MediaDuration?, isArriving: Bool) -> Bool {
    guard isWanted, let deadline, now >= deadline else { return false }
    guard !isArriving else {
      self.deadline = now + interval(roundTripTime)
      return false
    }
    lastRequest = now
    unanswered += 1
    self.deadline = unanswered < Self.maximumUnanswered ? now + interval(roundTripTime) : nil
    return true
  }

  private func interval(_ roundTripTime: MediaDuration?) -> MediaDuration {
    let base = max(Self.shortestInterval, roundTripTime ?? .zero)
    // The first repetitions come quickly: requests get lost too.
    return unanswered <= 3 ? base : min(base * Int64(1 &<< (unanswered - 3)), max(base, Self.longestInterval))
  }
}
