import MediaBase

/// What to encode with a given bit rate: below the least rate at which the configured size and frame rate still look like
/// something, fewer pictures or smaller ones, as the configuration prefers.
struct EncodingAdaptation {
  /// What to encode now.
  struct Plan: Equatable {
    /// The size of the configuration is multiplied with this.
    var scale: Double
    /// Frames per second.
    var frameRate: Int
    /// Kilobits per second.
    var bitrate: Int
  }

  private struct Rung {
    var scale: Double
    var frameRateShare: Double
  }

  /// The share of the bit rate that the engine would choose that is enough to be looked at.
  private static let enough = 0.35
  /// A better rung needs this much more than enough, for so long: another size costs a key frame.
  private static let margin = 1.3
  private static let patience = MediaDuration.seconds(3 as Int64)
  private static let leastBitrate = 30

  private let configuration: VideoEncoderConfiguration
  private let rungs: [Rung]
  private var rung = 0
  private var betterSince: MediaInstant?

  init(configuration: VideoEncoderConfiguration) {
    self.configuration = configuration
    let steps: [(Double, Double)] =
      switch configuration.degradationPreference {
      case .quality, .resolution: [(1, 1), (1, 0.67), (1, 0.5), (1, 0.33)]
      case .frameRate: [(1, 1), (0.75, 1), (0.5, 1), (0.375, 1)]
      case .automatic, .balanced: [(1, 1), (0.75, 1), (0.75, 0.67), (0.5, 0.67), (0.5, 0.5), (0.375, 0.5)]
      }
    rungs = steps.map { Rung(scale: $0.0, frameRateShare: $0.1) }
  }

  /// What to encode when `available` kilobits per second can be sent; `nil` if that is not known.
  mutating func plan(available: Int?, now: MediaInstant) -> Plan {
    let bitrate = min(configuration.effectiveBitrate, max(available ?? .max, Self.leastBitrate))
    while rung + 1 < rungs.count, Double(bitrate) < need(rung) { rung += 1 }
    if rung > 0, Double(bitrate) >= need(rung - 1) * Self.margin || bitrate == configuration.effectiveBitrate {
      let since = betterSince ?? now
      betterSince = since
      if now - since >= Self.patience {
        rung -= 1
        betterSince = now
      }
    } else {
      betterSince = nil
    }
    return Plan(scale: rungs[rung].scale, frameRate: frameRate(rung), bitrate: bitrate)
  }

  /// Kilobits per second below which the rung is given up. Who asks for little from the start has it.
  private func need(_ index: Int) -> Double {
    var standard = configuration
    standard.bitrate = 0
    standard.width = Int(Double(configuration.width) * rungs[index].scale)
    standard.height = Int(Double(configuration.height) * rungs[index].scale)
    standard.frameRate = frameRate(index)
    return min(Double(standard.effectiveBitrate) * Self.enough, Double(configuration.effectiveBitrate) * 0.6)
  }

  private func frameRate(_ index: Int) -> Int {
    max(min(configuration.frameRate, 5), Int(Double(configuration.frameRate) * rungs[index].frameRateShare))
  }
}
