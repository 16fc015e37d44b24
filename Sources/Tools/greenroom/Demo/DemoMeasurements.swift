/// Figures of a story: how fast, how smooth.
struct DemoMeasurements: Codable, Sendable {
  /// A time that was waited for.
  struct Wait: Codable, Sendable {
    var what: String
    var milliseconds: Double
  }

  /// One user's pictures at one receiver within one phase.
  struct Stream: Codable, Sendable {
    var phase: String
    var receiver: String
    var sender: String
    var framesPerSecond: Double
    /// From the clock burnt into a picture to its decoding.
    var latencyP50: Double?
    var latencyP95: Double?
    var longestGap: Double
  }

  var waits: [Wait] = []
  var streams: [Stream] = []

  init(_ record: DemoRecord) {
    for role in DemoRole.audience {
      add(
        "\(role.name): join to first picture", record.joined[role],
        record.reception(role, of: .host, in: DemoRecord.liveChannel))
    }
    for (index, call) in record.calls.enumerated() {
      let name = index == 0 ? "first call" : "second call"
      if !call.isAudioOnly {
        add(
          "\(name): accept to first picture at the caller", call.accepted,
          record.reception(.caller, of: .host, in: call.room))
      }
      for role in DemoRole.audience {
        add(
          "\(name): publish again to first picture at \(role.name)", call.published,
          record.reception(role, of: .host, in: DemoRecord.liveChannel))
      }
    }
    streams = record.phases.flatMap { phase in
      record.logs.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { role, logs in
        logs.compactMap { Self.stream(phase, role, $0) }
      }
    }
  }

  private mutating func add(_ what: String, _ begin: Int64?, _ log: ReceptionRecord?) {
    guard let begin, let first = log?.pictures.first(where: { $0 >= begin }) else { return }
    waits.append(Wait(what: what, milliseconds: Double(first - begin) / 1e6))
  }

  private static func stream(_ phase: DemoRecord.Phase, _ role: DemoRole, _ log: ReceptionRecord) -> Stream? {
    let inPhase = zip(log.pictures, log.captures).filter { (phase.begin...phase.end).contains($0.0) }
    guard inPhase.count > 10, let first = inPhase.first?.0, let last = inPhase.last?.0, last > first else { return nil }
    let latencies = inPhase.filter { $0.1 >= 0 && $0.1 <= $0.0 }.map { Double($0.0 - $0.1) / 1e6 }
    let gaps = zip(inPhase.dropFirst(), inPhase).map { Double($0.0 - $1.0) / 1e6 }
    return Stream(
      phase: phase.title, receiver: role.name, sender: DemoRole.name(of: log.uid),
      framesPerSecond: Double(inPhase.count - 1) / (Double(last - first) / 1e9), latencyP50: latencies.percentile(0.5),
      latencyP95: latencies.percentile(0.95), longestGap: gaps.max() ?? 0)
  }
}
