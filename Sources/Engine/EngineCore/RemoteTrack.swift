import MediaBase

/// The states of one remote track, audio or video: both have the same raw values in the public enumerations.
struct RemoteTrack {
  enum Phase: Int {
    case stopped = 0
    case starting = 1
    case decoding = 2
    case frozen = 3
    case failed = 4
  }

  /// The reasons that occur here, with the raw values of both public enumerations.
  enum Reason: Int {
    case `internal` = 0
    case networkCongestion = 1
    case networkRecovery = 2
    case localMuted = 3
    case localUnmuted = 4
    case remoteMuted = 5
    case remoteUnmuted = 6
    case remoteOffline = 7
    case audioFallback = 8
    case audioFallbackRecovery = 9
  }

  struct Change {
    var phase: Phase
    var reason: Reason
  }

  private(set) var phase = Phase.stopped
  /// Whether the track is published and wanted, so that frames should come.
  private(set) var isReceiving = false
  /// Whether a frame has come since reception began.
  private(set) var hasFrame = false
  /// The server leaves it out since the network does not carry it; what is still under way does not count.
  private(set) var isPaused = false
  private(set) var freezeCount = 0
  private(set) var frozenTime = MediaDuration.zero
  private var cause = Reason.remoteUnmuted
  private var lastFrame: MediaInstant?
  private var averageInterval = MediaDuration.zero

  mutating func begin(cause: Reason) {
    isReceiving = true
    hasFrame = false
    self.cause = cause
    averageInterval = .zero
  }

  mutating func end(reason: Reason, now: MediaInstant) -> Change? {
    isReceiving = false
    guard phase != .stopped else { return nil }
    thaw(now: now)
    phase = .stopped
    return Change(phase: .stopped, reason: reason)
  }

  /// The server leaves the track out.
  mutating func pause(now: MediaInstant) -> Change? {
    isPaused = true
    guard isReceiving, phase != .stopped else { return nil }
    thaw(now: now)
    phase = .stopped
    return Change(phase: .stopped, reason: .audioFallback)
  }

  /// The track comes again.
  mutating func resume() {
    guard isPaused else { return }
    isPaused = false
    hasFrame = false
    cause = .audioFallbackRecovery
    averageInterval = .zero
  }

  mutating func receivedPacket() -> Change? {
    guard isReceiving, !isPaused, phase == .stopped else { return nil }
    phase = .starting
    return Change(phase: .starting, reason: .internal)
  }

  /// A frame has come: the change it makes, and whether it is a first frame.
  mutating func receivedFrame(now: MediaInstant, firstFrameAgain: MediaDuration) -> (change: Change?, isFirst: Bool) {
    guard isReceiving, !isPaused else { return (nil, false) }
    let isFirst = lastFrame.map { now - $0 >= firstFrameAgain } ?? true
    if hasFrame, let lastFrame, phase == .decoding {
      averageInterval = averageInterval + (now - lastFrame - averageInterval) / 8
    }
    thaw(now: now)
    lastFrame = now
    let reason = hasFrame ? Reason.networkRecovery : cause
    hasFrame = true
    guard phase != .decoding else { return (nil, isFirst) }
    phase = .decoding
    return (Change(phase: .decoding, reason: reason), isFirst)
  }

  /// A frame has come that cannot be used; the track fails once no good one has come for so long.
  mutating func receivedUselessFrame(now: MediaInstant, after patience: MediaDuration) -> Change? {
    guard isReceiving, phase != .failed, lastFrame.map({ now - $0 >= patience }) ?? true else { return nil }
    thaw(now: now)
    phase = .failed
    return Change(phase: .failed, reason: .internal)
  }

  /// When the track freezes unless a frame comes; a slow source is given three of its frame intervals.
  func freezeDeadline(after frozen: MediaDuration) -> MediaInstant? {
    guard phase == .decoding, let lastFrame else { return nil }
    return lastFrame + max(frozen, averageInterval * 3)
  }

  mutating func freezeIfDue(now: MediaInstant, after frozen: MediaDuration) -> Change? {
    guard let deadline = freezeDeadline(after: frozen), now >= deadline else { return nil }
    phase = .frozen
    freezeCount += 1
    return Change(phase: .frozen, reason: .networkCongestion)
  }

  private mutating func thaw(now: MediaInstant) {
    guard phase == .frozen, let lastFrame else { return }
    frozenTime = frozenTime + (now - lastFrame)
  }
}
