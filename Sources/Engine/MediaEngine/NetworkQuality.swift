/// How good the way to or from a user is. The raw values are those of the SDKs.
public enum NetworkQuality: Int, Sendable, CaseIterable {
  /// Nothing is sent or received, so nothing is known.
  case unknown = 0
  /// Nothing to notice.
  case excellent = 1
  /// Almost as good; what is sent may be somewhat less than wished for.
  case good = 2
  /// Faults can be noticed and do not disturb.
  case poor = 3
  /// Talking is possible, with faults.
  case bad = 4
  /// Talking is hardly possible.
  case veryBad = 5
  /// Nothing comes through.
  case down = 6
  /// Never reported; for applications that know the number.
  case unsupported = 7
  /// Never reported; for applications that know the number.
  case detecting = 8

  /// The worst of what is measured.
  ///
  /// - Parameters:
  ///   - lossPercent: packets that did not come at first go, 0 to 100.
  ///   - roundTrip: milliseconds to the server and back; `nil` if unknown.
  ///   - unevenness: milliseconds that packets wait, or are held back, for the network's sake; `nil` if unknown.
  ///   - share: what the network carries of what was to be sent, 0 to 1; `nil` if unknown.
  static func worst(
    lossPercent: Double, roundTrip: Double?, unevenness: Double?, share: Double? = nil
  ) -> NetworkQuality {
    var worst = level(lossPercent, [1, 3, 8, 20])
    if let roundTrip { worst = max(worst, level(roundTrip, [100, 200, 400, 800])) }
    if let unevenness { worst = max(worst, level(unevenness, [60, 120, 240, 480])) }
    if let share { worst = max(worst, level(1 - share, [0.2, 0.4, 0.6, 0.8])) }
    return NetworkQuality(rawValue: worst) ?? .unknown
  }

  /// 1 below the first limit, 5 from the last one on.
  private static func level(_ value: Double, _ limits: [Double]) -> Int { 1 + limits.count { value >= $0 } }
}
