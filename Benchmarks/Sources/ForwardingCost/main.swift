// What forwarding costs the server, sockets included: one publisher's picture and sound to 20 subscribers on loopback;
// processor time and heap allocations of the worker's thread for each packet that arrives at a subscriber.
import BenchmarkSupport
import CThreadAllocations
import LinuxIO
import MediaBase
import MediaEngine
import SyntheticMedia

struct Reading {
  var packets = 0.0
  var allocations = 0.0
  var cpuSeconds = 0.0

  static func - (left: Reading, right: Reading) -> Reading {
    Reading(
      packets: left.packets - right.packets, allocations: left.allocations - right.allocations,
      cpuSeconds: left.cpuSeconds - right.cpuSeconds)
  }
}

var report = BenchmarkReport("ForwardingCost")
// For profilers: `ForwardingCost core` leaves the sockets out, `ForwardingCost logic` encryption too.
if CommandLine.arguments.contains("logic") {
  CoreCost.addLogic(to: &report)
  report.finish()
}
let isCoreOnly = CommandLine.arguments.contains("core")
CoreCost.add(to: &report, pictures: isCoreOnly ? 600 : 60)
LeavingCost.add(to: &report)
if isCoreOnly { report.finish() }
let stage = try BenchmarkStage()
let seconds = 10
let host = stage.engine(video: TestPatternSource(), hasAudio: true)
host.joinChannel(token: nil, channelID: "bench", uid: 1, options: BenchmarkStage.broadcaster)
let viewers = stage.engine()
let connections = (0..<20).map { RTCConnection(channelID: "bench", localUID: UInt($0 + 2)) }
for connection in connections {
  viewers.joinChannelEx(token: nil, connection: connection, delegate: nil, options: ChannelMediaOptions())
}

@MainActor func read() -> Reading {
  let packets = connections.reduce(0) { $0 + (viewers.statistics(of: $1)?.receivedPackets ?? 0) }
  let allocations = ProcessThreads.identifiers(named: "shard-0").reduce(0) { $0 + thread_allocations($1) }
  return Reading(
    packets: Double(packets), allocations: Double(allocations),
    cpuSeconds: ProcessThreads.cpuTime(named: "shard-0").seconds)
}

@MainActor func measure(frameRate: Int, bitrate: Int) -> Reading {
  host.setVideoEncoderConfiguration(
    VideoEncoderConfiguration(width: 320, height: 180, frameRate: frameRate, bitrate: bitrate))
  MonotonicClock.sleep(for: .seconds(3))
  let before = read()
  MonotonicClock.sleep(for: .seconds(Int64(seconds)))
  return read() - before
}

// Connectivity checks and timers may allocate too, at a rate that does not depend on the packets: the difference between
// many and few packets is what packets cost. That allocations are counted at all is seen by those of the thread's start.
let few = measure(frameRate: 10, bitrate: 100)
let many = measure(frameRate: 60, bitrate: 3_000)
let more = many - few
if few.packets < 20 * 50 * Double(seconds) || more.packets < few.packets || read().allocations == 0 {
  report.fail("too little arrived or was counted: \(few), \(many)")
} else {
  report.add("heap allocations per additional packet", more.allocations / more.packets, "", limit: 0.01)
  report.add("heap allocations per second in all", many.allocations / Double(seconds), "1/s")
  report.add("packets forwarded per second", many.packets / Double(seconds), "1/s")
  report.add("CPU per packet", many.cpuSeconds / many.packets * 1e6, "µs")
  report.add("packets that a worker could forward per second", many.packets / many.cpuSeconds, "1/s")
}
viewers.destroy()
host.destroy()
report.finish()
