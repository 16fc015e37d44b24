/// The highest rate that losses allow.
///
/// A path may lose packets whatever is sent (a radio), or because more is sent than fits (a short queue, a policer). The
/// first must not cost anything, the second must. Told apart by fitting both to the last observations: an inherent loss
/// alone, or with a capacity above which all is lost. Only a capacity that explains clearly more bounds the rate. Rates that
/// are all alike tell nothing: then, seldom, a lower one is tried for a second.
struct LossBound {
  private static let observationCount = 20
  private static let ageWeight = 0.9
  /// Losses up to this are nobody's business.
  private static let harmless = 0.02
  /// By how much the weighed squares of errors must be lower for a capacity to be believed.
  private static let evidence = 6.0
  private static let inherentCandidates = [
    0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7,
  ]

  /// Losses from which on it is worth a trial.
  private static let worthTrial = 0.05
  private static let trialShare = 0.7
  private static let trialWindows = 4
  /// In observations, from one trial to the next: doubled by each.
  private static let trialDistances = 20...240
  private static let alike = 1.25

  /// In bits per second; `nil` if losses do not depend on the rate.
  private(set) var bitsPerSecond: Double?
  /// The share of packets that is lost whatever is sent.
  private(set) var inherentLoss = 0.0
  /// For the time being no more than this, to see whether losses go down with the rate.
  private(set) var trialRate: Double?
  private var trialWindowsLeft = 0
  private var sinceTrial = 0
  private var trialDistance = Self.trialDistances.lowerBound
  /// Oldest first.
  private var observations: [LossObservation] = []

  /// Takes what became of the packets of the last moment.
  mutating func add(_ observation: LossObservation) {
    if observations.isEmpty { observations.reserveCapacity(Self.observationCount + 1) }
    observations.append(observation)
    if observations.count > Self.observationCount { observations.removeFirst() }
    defer { tryLess() }
    guard observations.contains(where: { $0.loss > Self.harmless }) else {
      inherentLoss = 0
      bitsPerSecond = nil
      trialDistance = Self.trialDistances.lowerBound
      return
    }
    fit()
  }

  private mutating func tryLess() {
    sinceTrial += 1
    if trialWindowsLeft > 0 {
      trialWindowsLeft -= 1
      if trialWindowsLeft == 0 { trialRate = nil }
    } else if inherentLoss > Self.worthTrial, bitsPerSecond == nil, sinceTrial >= trialDistance {
      let rates = observations.map(\.sentRate)
      guard let least = rates.min(), let most = rates.max(), most < Self.alike * least else { return }
      trialRate = Self.trialShare * least
      trialWindowsLeft = Self.trialWindows
      sinceTrial = 0
      trialDistance = min(2 * trialDistance, Self.trialDistances.upperBound)
    }
  }

  private mutating func fit() {
    // Where packets wait, losses are those of a full queue, and tell nothing about the path when it is not full.
    let undelayed = observations.contains { !$0.isDelayed }
    let unbounded =
      undelayed ? best(capacity: nil, where: { !$0.isDelayed }) : (inherent: 0, cost: Double.infinity)
    inherentLoss = unbounded.inherent
    let reference = best(capacity: nil, where: { _ in true }).cost
    var least = reference - Self.evidence
    var found: (capacity: Double, inherent: Double)?
    for candidate in observations where candidate.loss > Self.harmless {
      let fitted = best(capacity: candidate.deliveredRate, where: { _ in true })
      guard fitted.cost < least else { continue }
      least = fitted.cost
      found = (candidate.deliveredRate, fitted.inherent)
    }
    bitsPerSecond = found?.capacity
    if let found { inherentLoss = found.inherent }
  }

  private func best(
    capacity: Double?, where isIncluded: (LossObservation) -> Bool
  ) -> (inherent: Double, cost: Double) {
    var result = (inherent: 0.0, cost: Double.infinity)
    for inherent in Self.inherentCandidates {
      var cost = 0.0
      var weight = 1.0
      for observation in observations.reversed() {
        weight *= Self.ageWeight
        guard isIncluded(observation) else { continue }
        let expected = Self.expectedLoss(rate: observation.sentRate, inherent: inherent, capacity: capacity)
        let error = observation.loss - expected
        let variance = (expected * (1 - expected) + 0.005) / max(observation.packetCount, 1)
        cost += weight * error * error / variance
      }
      if cost < result.cost { result = (inherent, cost) }
    }
    return result
  }

  private static func expectedLoss(rate: Double, inherent: Double, capacity: Double?) -> Double {
    guard let capacity else { return inherent }
    let passing = rate * (1 - inherent)
    return passing > capacity ? 1 - capacity / rate : inherent
  }
}
