import MediaBase

extension BandwidthEstimator {
  static let tickInterval = MediaDuration.milliseconds(50)
  private static let shortestTick = MediaDuration.milliseconds(20)
  /// After the last packet the timers go on for this long.
  static let activeTime = MediaDuration.seconds(3 as Int64)
  /// How long the peer's own estimate holds beside transport-wide feedback.
  static let remoteFreshness = MediaDuration.seconds(5 as Int64)
  /// Without any feedback for this long, what is sent may be going nowhere.
  private static let feedbackPatience = MediaDuration.milliseconds(1_500)
  private static let decayInterval = MediaDuration.milliseconds(500)
  private static let decay = 0.8
  /// How long the path counts as limited after it has shown that it is.
  static let limitMemory = MediaDuration.seconds(60 as Int64)
  private static let quietTime = MediaDuration.milliseconds(1_500)
  private static let quietDelay = MediaDuration.milliseconds(30)
  static let longQueue = MediaDuration.milliseconds(60)
  private static let lossDecreaseInterval = MediaDuration.milliseconds(300)

  mutating func advance(now: MediaInstant) {
    let elapsed = now - lastTick
    guard elapsed >= Self.shortestTick else { return }
    lastTick = now
    let sentBits = sentRate.close(elapsed: elapsed)
    applicationLimit.update(sentBits: sentBits, elapsed: elapsed, estimate: aimd.rate, now: now)
    decayWithoutFeedback(now: now)
    if hasEstimate {
      probes.update(estimate: aimd.rate, isQuiet: isQuiet(now: now), now: now)
    }
  }

  private func isQuiet(now: MediaInstant) -> Bool {
    if let decrease = aimd.lastDecrease, now - decrease < Self.quietTime { return false }
    return detector.usage != .overusing && queueDelayTracker.value ?? .zero <= Self.quietDelay
  }

  /// Goes down while packets go out and nothing is heard of them, though something was heard before.
  private mutating func decayWithoutFeedback(now: MediaInstant) {
    guard let lastSent, let heard = lastFeedback.map({ max($0, remote?.time ?? $0) }) ?? remote?.time else { return }
    let patience =
      lastFeedback == nil ? Self.remoteFreshness : max(Self.feedbackPatience, (roundTripTime ?? .zero) * 3)
    guard now - heard > patience, lastSent - heard > patience / 2, now - (lastDecay ?? heard) >= Self.decayInterval
    else { return }
    let before = aimd.rate
    if lastDecay == nil { silence = FeedbackSilence(rate: before) }
    lastDecay = now
    aimd.limit(to: before * Self.decay)
    if lastFeedback == nil, let old = remote {
      remote = (max(old.bitrate * Self.decay, Double(configuration.minimumBitrate)), old.time)
    }
    if aimd.rate < before { decreased(from: before, now: now) }
  }

  mutating func closeLossWindow(now: MediaInstant) {
    let isDelayed = queueDelayTracker.value ?? .zero > .milliseconds(50)
    let inherent = lossBound.inherentLoss
    guard let observation = lossWindow.close(sentByteCount: sentRate.total, isDelayed: isDelayed, now: now) else {
      return
    }
    lossBound.add(observation)
    let before = aimd.rate
    if let bound = lossBound.bitsPerSecond, hasEstimate { aimd.limit(to: bound) }
    let deviation = (inherent * (1 - inherent) / observation.packetCount).squareRoot()
    let interval = Self.lossDecreaseInterval + (roundTripTime ?? .zero)
    if isDelayed, observation.loss > inherent + 0.05 + 2 * deviation,
      lastLossDecrease.map({ now - $0 >= interval }) ?? true
    {
      lastLossDecrease = now
      // What gets through has shown that it does.
      aimd.limit(to: max(aimd.rate * (1 - 0.5 * observation.loss), 0.85 * (acknowledgedRate.behindQueue ?? 0)))
    }
    if aimd.rate < before { decreased(from: before, now: now) }
  }
}
