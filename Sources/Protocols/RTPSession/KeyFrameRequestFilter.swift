import MediaBase

/// Thins out the other side's requests for key frames (RFC 4585 section 6.3.1, RFC 5104 section 4.3.1).
struct KeyFrameRequestFilter {
  /// On average at most one request in this time reaches the encoder, and none sooner while the key frame of the one
  /// before has not gone out. A key frame costs about as much as ten other pictures; a receiver repeats its request every
  /// 200 ms or round trip until the picture is there, and several receivers ask at once. 300 ms covers the way of the
  /// request, one picture's time and the way back on all but the longest paths.
  static let interval = MediaDuration.milliseconds(300)
  /// Once a key frame has gone out, whoever asks came after it: a few may follow at this distance, so that of viewers who
  /// join shortly one after another each sees the picture soon.
  private static let shortInterval = MediaDuration.milliseconds(100)
  /// How far ahead of the average requests may be.
  private static let advance = interval * 2

  private var lastPassed: MediaInstant?
  private var isAnswered = false
  /// When the average allows the next request.
  private var averageTime = MediaInstant.zero
  /// When a request that came too early is passed on, unless a key frame goes out before.
  private(set) var deadline: MediaInstant?
  private var lastCommandNumber: UInt8?

  /// Whether to pass the request on now. A full intra request has a number, by which repetitions of it are known.
  mutating func request(commandNumber: UInt8? = nil, now: MediaInstant) -> Bool {
    if let commandNumber {
      guard commandNumber != lastCommandNumber else { return false }
      lastCommandNumber = commandNumber
    }
    let earliest = earliest(now)
    if earliest > now {
      deadline = deadline ?? earliest
      return false
    }
    return pass(now: now)
  }

  /// Whether a postponed request is to be passed on now.
  mutating func handleTimeout(now: MediaInstant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    return pass(now: now)
  }

  mutating func keyFrameSent() {
    deadline = nil
    isAnswered = true
  }

  private func earliest(_ now: MediaInstant) -> MediaInstant {
    guard let lastPassed else { return now }
    return isAnswered ? max(lastPassed + Self.shortInterval, averageTime - Self.advance) : lastPassed + Self.interval
  }

  private mutating func pass(now: MediaInstant) -> Bool {
    lastPassed = now
    averageTime = max(averageTime, now) + Self.interval
    isAnswered = false
    deadline = nil
    return true
  }
}
