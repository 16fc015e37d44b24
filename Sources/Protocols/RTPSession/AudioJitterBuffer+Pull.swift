import MediaBase
import RTPWire

extension AudioJitterBuffer {
  /// The delay is changed when it is off by more than this, in samples: less than a packet is not worth a glitch.
  private static let tolerance = 480.0
  /// Longer than this, in samples, it is cut at once: the playout has stood still.
  private static let longestDelay = AudioJitterBuffer.maximumDelay.milliseconds * 48 + 200 * 48
  /// Packets at least this quiet, in -dBov, can be left out without being missed.
  private static let quietLevel: UInt8 = 50

  /// What to play next at `now`, when all samples of the last pull have been played.
  public mutating func pull(now: MediaInstant) -> Output {
    if case .buffering = state, !begin(now: now) { return silence() }
    dropOverdue(now: now)
    observeDelay(now: now)
    guard let head = entries.first else { return underrun() }
    if head.timestamp > next { return beforeGap(head, now: now) }
    if let output = adjustDelay(head) { return output }
    return play()
  }

  // MARK: Beginning

  /// Whether the first packet has waited as long as it should; then playing starts with it.
  private mutating func begin(now: MediaInstant) -> Bool {
    guard let head = entries.first, lateness(of: head.timestamp, now: now) >= 0 else { return false }
    state = .playing
    next = head.timestamp
    concealedRun = 0
    excess = 0
    excessIsFresh = true
    return true
  }

  /// How much later than wanted a packet would be if it were played now, in samples.
  private func lateness(of timestamp: Int64, now: MediaInstant) -> Int64 {
    AudioDelayEstimator.samples(now) &- timestamp &- delay.base &- delay.target
  }

  // MARK: Playing

  private mutating func play() -> Output {
    let head = entries.removeFirst()
    next = head.timestamp &+ Int64(head.sampleCount)
    // An Opus packet of one or two bytes says that the sender is silent (RFC 6716 section 2.1.9).
    last = (head.index, head.sampleCount, head.packet.payload.count <= 2)
    concealedRun = 0
    statistics.packetsPlayed &+= 1
    return .packet(head.packet)
  }

  /// The next packet is not the one whose turn it is.
  private mutating func beforeGap(_ head: Entry, now: MediaInstant) -> Output {
    let gap = head.timestamp &- next
    if let last, head.index == last.index + 1 || concealedRun >= Self.longestConcealment {
      // The sender was silent, or the gap was too long to bridge: go on with the right delay.
      if lateness(of: head.timestamp, now: now) < 0 { return silence() }
      next = head.timestamp
      return play()
    }
    let isRightAfter = last.map { head.index == $0.index + 2 } ?? false
    let step = min(gap, Int64(last?.sampleCount ?? Self.silenceStep))
    // The copy in the following packet is as long as that packet.
    let recovers = isRightAfter && gap == Int64(head.sampleCount)
    return conceal(recovers ? gap : step, recovery: recovers ? head.packet : nil)
  }

  private mutating func conceal(_ samples: Int64, recovery: ReceivedAudioPacket?) -> Output {
    let count = Int(samples)
    next &+= samples
    concealedRun += count
    statistics.samplesConcealed &+= count
    return .conceal(sampleCount: Self.rounded(count), recovery: recovery)
  }

  /// Nothing is there. What is made up now comes on top: the packet that is late is still played, and the delay grows.
  private mutating func underrun() -> Output {
    if last?.isSilence == true { return silence() }
    guard concealedRun < Self.longestConcealment else {
      state = .buffering
      statistics.restarts &+= 1
      return silence()
    }
    let count = Self.silenceStep
    concealedRun += count
    statistics.samplesConcealed &+= count
    return .conceal(sampleCount: count, recovery: nil)
  }

  private mutating func silence() -> Output {
    statistics.samplesSilent &+= Self.silenceStep
    return .silence(sampleCount: Self.silenceStep)
  }

  /// Decoders make up multiples of 2.5 ms only.
  private static func rounded(_ sampleCount: Int) -> Int { max(120, (sampleCount + 60) / 120 * 120) }

  // MARK: Delay

  /// Leaves out what has been played already, and at once everything too old if the delay is longer than it may become.
  private mutating func dropOverdue(now: MediaInstant) {
    while let head = entries.first, head.timestamp < next {
      entries.removeFirst()
      statistics.packetsLate &+= 1
    }
    guard let head = entries.first,
      lateness(of: head.timestamp, now: now) &+ delay.target > Self.longestDelay
    else { return }
    while entries.count > 1, let head = entries.first, lateness(of: head.timestamp, now: now) > 0 {
      entries.removeFirst()
      statistics.packetsSkipped &+= 1
    }
    guard let head = entries.first else { return }
    next = head.timestamp
    last = (head.index - 1, head.sampleCount, false)
    excessIsFresh = true
  }

  private mutating func observeDelay(now: MediaInstant) {
    if adjustmentPause > 0 { adjustmentPause -= 1 }
    let difference = Double(lateness(of: next, now: now))
    excess = excessIsFresh ? difference : excess + (difference - excess) / 16
    excessIsFresh = false
  }

  /// Makes the delay longer or shorter if it has been wrong for a while.
  private mutating func adjustDelay(_ head: Entry) -> Output? {
    guard adjustmentPause == 0 else { return nil }
    if excess < -Self.tolerance {
      excess += Double(Self.silenceStep)
      adjustmentPause = 4
      statistics.samplesStretched &+= Self.silenceStep
      return .conceal(sampleCount: Self.silenceStep, recovery: nil)
    }
    let length = Double(head.sampleCount)
    let isQuiet = head.packet.level.map { $0 >= Self.quietLevel } ?? false
    guard entries.count > 1, excess > (isQuiet ? length * 3 / 4 : length + Self.tolerance) else { return nil }
    entries.removeFirst()
    statistics.packetsSkipped &+= 1
    next = head.timestamp &+ Int64(head.sampleCount)
    last = (head.index, head.sampleCount, false)
    excess -= length
    adjustmentPause = 10
    guard let following = entries.first, following.timestamp <= next else { return nil }
    return play()
  }
}
