import BenchmarkSupport
import LinuxIO
import MediaBase

extension ForwardingBench {
  private static let rounds = 3

  /// What a flood does to channels that have nothing to do with it: the same video with and without, in turns.
  func flood(_ report: inout BenchmarkReport) throws {
    let scene = try videoScene(ServerProcess.greenroom(options.greenroom))
    defer { scene.stop() }
    let paths = scene.subscribers.compactMap { client in client.path.map { ($0, client.localCredentials) } }
    guard let port = paths.first?.0.candidates.first?.port else { return report.fail("nobody has a path") }
    let flood = try Flood(
      port: port, fragments: paths.map { ($0.0.credentials.usernameFragment, $0.1.usernameFragment) })
    scene.start(Publisher.Plan(pictureRate: options.slowPictureRate, audioRate: 50))
    defer { scene.pause() }
    MonotonicClock.sleep(for: .seconds(1.0))
    var quiet: [Scene.Measurement] = []
    var flooded: [Scene.Measurement] = []
    var rate = 0.0
    for _ in 0..<Self.rounds {
      quiet.append(scene.measure(seconds: options.seconds / 2))
      let before = flood.sent.load(ordering: .relaxed)
      flood.start(Flood.Kind.allCases, rate: options.floodRate)
      let measured = scene.measure(seconds: options.seconds / 2)
      flood.stop()
      rate = Double(flood.sent.load(ordering: .relaxed) - before) / measured.seconds
      flooded.append(measured)
    }
    func ratio(_ value: (Scene.Measurement) -> Double) -> Double {
      zip(flooded, quiet).map { value($0) / value($1) }.percentile(0.5) ?? 0
    }
    report.add("flood of all kinds", rate, "datagrams/s")
    report.add("forwarded without a flood, to with", 1 / ratio { $0.packets / $0.seconds }, "times", limit: 1.1)
    report.add(
      "latency p50 with a flood, to without", ratio { $0.latencies.percentile(0.5) ?? 0 }, "times", limit: 1.1)
    report.add("latency p99 with a flood, to without", ratio { $0.latencies.percentile(0.99) ?? 0 }, "times")
    report.add("lost with a flood", (flooded.map { $0.loss * 100 }.percentile(0.5) ?? 0), "%")
    report.add("CPU per forwarded packet with a flood, to without", ratio(\.microsecondsPerPacket), "times")
    let base = quiet.map(\.utilization).percentile(0.5) ?? 0
    for kind in Flood.Kind.allCases {
      let before = flood.sent.load(ordering: .relaxed)
      flood.start([kind], rate: options.floodRate)
      let measured = scene.measure(seconds: options.seconds / 2)
      flood.stop()
      let sent = Double(flood.sent.load(ordering: .relaxed) - before)
      report.add(
        "a datagram of a flood: \(kind.rawValue)",
        (measured.utilization - base) * measured.seconds / sent * 1e6, "µs")
    }
  }
}
