import BenchmarkSupport
import CForwardingFloor

/// The bare C loop.
enum Floor {
  /// CPU microseconds per packet: the median of some short runs.
  static func measure(
    receivers: Int, packetsPerRun: Int, payloadByteCount: Int, sends: Bool, runs: Int = 3, seconds: Double = 0.5
  ) -> Double? {
    var values: [Double] = []
    for _ in 0..<runs {
      var result = floor_result()
      guard
        floor_measure(
          Int32(receivers), Int32(packetsPerRun), Int32(payloadByteCount), sends ? floor_sends : floor_encrypts,
          seconds, &result) == 0,
        result.packets > 0
      else { return nil }
      values.append(result.nanoseconds_per_packet / 1_000)
    }
    return values.percentile(0.5)
  }
}
