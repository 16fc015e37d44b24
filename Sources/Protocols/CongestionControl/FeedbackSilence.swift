/// A time in which nothing was heard of what was sent, and what is heard since about whether that was the path's fault.
struct FeedbackSilence {
  enum Verdict {
    /// The path carries what it carried before.
    case harmless
    case congested
  }

  private static let enoughPackets = 10
  /// In packets, for each that was lost.
  private static let packetsPerLoss = 50

  /// What was allowed when it began, in bits per second.
  let rate: Double
  private var resolvedCount = 0
  private var lostCount = 0

  init(rate: Double) { self.rate = rate }

  mutating func add(resolvedCount: Int, lostCount: Int) {
    self.resolvedCount += resolvedCount
    self.lostCount += lostCount
  }

  /// `nil` while too little has been heard to tell.
  func verdict(hasQueue: Bool) -> Verdict? {
    if hasQueue || lostCount * Self.packetsPerLoss > max(resolvedCount, Self.enoughPackets) { return .congested }
    return resolvedCount >= Self.enoughPackets ? .harmless : nil
  }
}
