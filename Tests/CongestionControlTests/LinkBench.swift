import MediaBase

/// Flows that share a line, on a virtual clock that goes by milliseconds.
final class LinkBench {
  var line: Bottleneck
  var flows: [Flow] = []
  private(set) var now = MediaInstant.zero + .seconds(1_000 as Int64)
  let start: MediaInstant
  /// Traffic that is not ours, in bits per second; it does not give way.
  var crossTraffic = 0
  private var crossCredit = 0.0
  private let seed: UInt64

  init(_ conditions: Bottleneck.Conditions, seed: UInt64 = 1) {
    line = Bottleneck(conditions, seed: seed)
    self.seed = seed
    start = now
  }

  @discardableResult
  func addFlow(_ settings: Flow.Settings = Flow.Settings()) -> Flow {
    let flow = Flow(settings, seed: seed &+ UInt64(flows.count) &* 77, now: now)
    flows.append(flow)
    return flow
  }

  func run(for duration: MediaDuration) throws {
    let end = now + duration
    while now < end {
      now = now + .milliseconds(1)
      crossCredit += Double(crossTraffic) / 8_000
      while crossCredit >= 1_000 {
        crossCredit -= 1_000
        _ = line.arrival(byteCount: 1_000, now: now)
      }
      for flow in flows { try flow.step(now: now, line: &line) }
    }
  }

  func time(_ seconds: Double) -> MediaInstant { start + .seconds(seconds) }
}
