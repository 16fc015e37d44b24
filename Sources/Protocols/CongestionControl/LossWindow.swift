import MediaBase

/// Counts what became of packets until there are enough to say something.
struct LossWindow {
  private static let enoughPackets = 20
  private static let fewPackets = 5
  private static let shortest = MediaDuration.milliseconds(250)
  private static let longest = MediaDuration.seconds(1 as Int64)

  /// Over some windows, 0 to 1.
  private(set) var smoothedLoss = 0.0
  private var received = 0
  private var lost = 0
  private var begin: (time: MediaInstant, sentByteCount: Int)?

  mutating func add(received: Int, lost: Int) {
    self.received += received
    self.lost += lost
  }

  /// A packet that had been counted as lost has come after all.
  mutating func recover() {
    received += 1
    lost = max(lost - 1, 0)
  }

  /// Ends the window if it is long enough. `sentByteCount` counts all that was ever sent.
  mutating func close(sentByteCount: Int, isDelayed: Bool, now: MediaInstant) -> LossObservation? {
    guard let begin else {
      self.begin = (now, sentByteCount)
      return nil
    }
    let length = now - begin.time
    let count = received + lost
    guard
      length >= Self.shortest && count >= Self.enoughPackets || length >= Self.longest && count >= Self.fewPackets
    else { return nil }
    let loss = Double(lost) / Double(max(count, 1))
    smoothedLoss += 0.3 * (loss - smoothedLoss)
    let observation = LossObservation(
      sentRate: Double(sentByteCount &- begin.sentByteCount) * 8 / length.seconds, packetCount: Double(count),
      loss: loss, isDelayed: isDelayed)
    self.begin = (now, sentByteCount)
    received = 0
    lost = 0
    return observation
  }
}
