import BenchmarkSupport
import ControlWire
import LinuxIO
import MediaBase

/// The parts of the benchmark, and what they hold the server to.
struct ForwardingBench {
  let options: Options

  private enum Limit {
    static let videoToFloor = 1.6
    static let videoToPion = 1.0 / 8
    static let audioToFloor = 1.3
    static let latencyMilliseconds = 1.0
    static let idleSubscriberKibibytes = 32.0
    /// Of a core, in percent, for channels of whose participants nothing comes: each is looked at once a second, whether
    /// there is something to report.
    static let silentChannelsPercent = 1.0
  }

  func run(
    _ name: String, _ report: inout BenchmarkReport, _ body: (ForwardingBench, inout BenchmarkReport) throws -> Void
  ) {
    do { try body(self, &report) } catch { report.fail("\(name): \(error)") }
  }

  // MARK: video

  func video(_ report: inout BenchmarkReport) throws {
    let plan = Publisher.Plan()
    let count = options.subscribers
    func floor(sends: Bool) -> Double? {
      Floor.measure(
        receivers: count, packetsPerRun: plan.packetsPerPicture, payloadByteCount: plan.videoPayload, sends: sends)
    }
    guard let before = floor(sends: true), let crypto = floor(sends: false) else {
      return report.fail("the floor could not be measured")
    }
    let scene = try videoScene(ServerProcess.greenroom(options.greenroom))
    defer { scene.stop() }
    let fast = try measure(scene, pictureRate: options.pictureRate)
    guard let after = floor(sends: true) else { return report.fail("the floor could not be measured") }
    let bottom = (before + after) / 2
    report.add("video floor in C, 1 to \(count)", bottom, "µs/packet")
    report.add("video floor in C without sending", crypto, "µs/packet")
    add("video 1 to \(count), \(options.pictureRate) pictures/s", fast, &report)
    report.add("video to the floor", fast.microsecondsPerPacket / bottom, "times", limit: Limit.videoToFloor)
    let half = max(30, Int(0.5e6 / fast.microsecondsPerPacket / Double(count * plan.packetsPerPicture)))
    let loaded = try measure(scene, pictureRate: min(half, options.pictureRate * 2))
    report.add("load at which latency is taken", loaded.utilization * 100, "% of a core")
    // The last subscriber waits at least for so long, since one processor sends to one after the other.
    report.add("floor in C for a picture to all", bottom * Double(count * plan.packetsPerPicture) / 1_000, "ms")
    report.add("added latency p50", loaded.latencies.percentile(0.5) ?? 0, "ms")
    report.add(
      "added latency p99", loaded.latencies.percentile(0.99) ?? 0, "ms", limit: Limit.latencyMilliseconds)
    let slow = try measure(scene, pictureRate: options.slowPictureRate)
    add("video 1 to \(count), \(options.slowPictureRate) pictures/s", slow, &report)
    try pion(slow, &report)
  }

  private func pion(_ ours: Scene.Measurement, _ report: inout BenchmarkReport) throws {
    guard options.includes("pion") || options.includes("video") else { return }
    guard let program = options.pion else {
      print("  no Pion SFU to compare with (PION_SFU is not set: see Benchmarks/pion-sfu/build)")
      return
    }
    for interceptors in ["none", "default"] {
      let scene = try videoScene(ServerProcess.pion(program, ["-interceptors", interceptors]), isPion: true)
      defer { scene.stop() }
      let theirs = try measure(scene, pictureRate: options.slowPictureRate)
      add("Pion with interceptors: \(interceptors)", theirs, &report)
      report.add(
        "video to Pion's (\(interceptors))", ours.microsecondsPerPacket / theirs.microsecondsPerPacket, "times",
        limit: Limit.videoToPion)
    }
  }

  private func add(_ name: String, _ value: Scene.Measurement, _ report: inout BenchmarkReport) {
    report.add("\(name): CPU", value.microsecondsPerPacket, "µs/packet")
    report.add("\(name): a core could forward", 1e6 / value.microsecondsPerPacket, "packets/s")
    report.add("\(name): forwarded", value.packets / value.seconds, "packets/s")
    report.add("\(name): lost", value.loss * 100, "%")
  }

  func videoScene(_ server: ServerProcess, isPion: Bool = false) throws -> Scene {
    let scene = Scene(server)
    _ = try scene.publish("bench")
    if isPion {
      // Its tracks are there once packets have come.
      try scene.connect()
      scene.start(Publisher.Plan(pictureRate: options.slowPictureRate, audioRate: 50))
      let limit = MonotonicClock.now() + .seconds(Int64(10))
      while true {
        let tracks = try HTTPPost.get("/tracks/bench", port: server.port)
        if tracks.contains("audio"), tracks.contains("video") { break }
        guard MonotonicClock.now() < limit else { throw HTTPPost.Failure(description: "Pion gets no tracks") }
        MonotonicClock.sleep(for: .milliseconds(50))
      }
    }
    for position in 0..<options.subscribers {
      try scene.subscribe("bench", samples: isSample(position, of: options.subscribers))
    }
    try scene.connect()
    scene.pause()
    return scene
  }

  /// Latency is taken of the first, of the last, and of some between: a server sends to one after the other.
  private func isSample(_ position: Int, of count: Int) -> Bool {
    position == count - 1 || position % max(count / 4, 1) == 0
  }

  /// Video at a rate, with a voice beside it.
  private func measure(_ scene: Scene, pictureRate: Int) throws -> Scene.Measurement {
    scene.start(Publisher.Plan(pictureRate: pictureRate, audioRate: 50))
    defer { scene.pause() }
    MonotonicClock.sleep(for: .seconds(1.0))
    let measured = scene.measure(seconds: options.seconds)
    guard measured.packets > 0 else { throw HTTPPost.Failure(description: "nothing was forwarded") }
    return measured
  }

  // MARK: audio

  func audio(_ report: inout BenchmarkReport) throws {
    let plan = Publisher.Plan(audioRate: 50)
    let overhead = 24 + 16
    guard
      let bottom = Floor.measure(
        receivers: options.listeners, packetsPerRun: 1, payloadByteCount: 120 - overhead, sends: true)
    else { return report.fail("the floor could not be measured") }
    let scene = Scene(
      try ServerProcess.greenroom(options.greenroom, ["--loudest-speakers", "\(options.loudestSpeakers)"]))
    defer { scene.stop() }
    for _ in 0..<options.speakers { try scene.join("bench", publish: TrackFlags(audio: true, video: false)) }
    for position in 0..<options.listeners {
      try scene.join("bench", publish: .none, samples: isSample(position, of: options.listeners))
    }
    try scene.connect()
    scene.start(plan)
    MonotonicClock.sleep(for: .seconds(1.0))
    let measured = scene.measure(seconds: options.seconds)
    guard measured.packets > 0 else { throw HTTPPost.Failure(description: "nothing was forwarded") }
    report.add("audio floor in C, single datagrams to \(options.listeners)", bottom, "µs/packet")
    add(
      "audio, loudest \(options.loudestSpeakers) of \(options.speakers) to \(options.listeners)", measured, &report)
    report.add("audio to the floor", measured.microsecondsPerPacket / bottom, "times", limit: Limit.audioToFloor)
    report.add("audio: load", measured.utilization * 100, "% of a core")
    report.add("audio latency p50", measured.latencies.percentile(0.5) ?? 0, "ms")
    // The voices may come in the same instant, and the system takes one datagram after the other: so the last listener waits
    // for as long as the floor needs for all of them, and then as long as anybody may.
    report.add(
      "audio latency p99", measured.latencies.percentile(0.99) ?? 0, "ms",
      limit: bottom * Double(options.listeners * options.loudestSpeakers) / 1_000 + Limit.latencyMilliseconds)
  }

  // MARK: idle

  func memory(_ report: inout BenchmarkReport) throws {
    let scene = Scene(try ServerProcess.greenroom(options.greenroom))
    defer { scene.stop() }
    _ = try scene.publish("bench")
    // What the first ones need is not what one more needs.
    for _ in 0..<20 { try scene.subscribe("bench") }
    try scene.connect()
    MonotonicClock.sleep(for: .seconds(0.5))
    let before = scene.server.memory
    for _ in 0..<options.idleSubscribers { try scene.subscribe("bench") }
    try scene.connect()
    MonotonicClock.sleep(for: .seconds(2.0))
    let growth = Double(scene.server.memory - before) / 1_024 / Double(options.idleSubscribers)
    report.add(
      "memory per idle subscriber with two tracks", growth, "KiB", limit: Limit.idleSubscriberKibibytes)
  }

  func channels(_ report: inout BenchmarkReport) throws {
    let scene = Scene(try ServerProcess.greenroom(options.greenroom))
    defer { scene.stop() }
    let begin = MonotonicClock.now()
    for channel in 0..<options.channels {
      _ = try scene.publish("channel-\(channel)")
      try scene.subscribe("channel-\(channel)")
    }
    try scene.connect()
    let joining = Double((MonotonicClock.now() - begin).nanoseconds) / 1e9
    report.add("channels of two that come into being", Double(options.channels) / joining, "1/s")
    MonotonicClock.sleep(for: .seconds(2.0))
    // What the first seconds ask for in vain, and what the clients' checks repeat, is over by then.
    MonotonicClock.sleep(for: .seconds(6.0))
    let idle = scene.measure(seconds: options.seconds)
    report.add("CPU of \(options.channels) idle channels", idle.utilization * 100, "% of a core")
    let datagrams = idle.sent / idle.seconds
    report.add("datagrams that their participants send", datagrams, "1/s")
    report.add("CPU for each of these", idle.utilization * 1e6 / datagrams, "µs")
    // What is left is the channels' own.
    scene.loop.silence(true)
    MonotonicClock.sleep(for: .seconds(1.0))
    let silent = scene.measure(seconds: min(options.seconds, 8))
    scene.loop.silence(false)
    report.add(
      "CPU of these channels while nothing comes from their participants", silent.utilization * 100, "% of a core",
      limit: Limit.silentChannelsPercent)
    report.add("memory with \(options.channels) channels of two", Double(scene.server.memory) / 1_048_576, "MiB")
  }
}
