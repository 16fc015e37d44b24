// From a picture handed to the engine to the decoded picture handed out, through the server, on loopback; against the
// processor time of encoding and decoding the same pictures in the same run, which other programs do not stretch.
import BenchmarkSupport
import LinuxIO
import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia

var report = BenchmarkReport("GlassToGlass")
let seconds = 20
let stage = try BenchmarkStage()
let host = stage.engine(video: TestPatternSource(), hasAudio: true)
let viewer = stage.engine()
let latencies = Mutex<[Double]>([])
viewer.setRemoteVideoFrameObserver { remote in
  let now = MonotonicClock.now()
  guard let captured = FrameClock.read(remote.frame) else { return }
  latencies.withLock { $0.append(Double((now - captured).nanoseconds) / 1e6) }
}
host.joinChannel(token: nil, channelID: "bench", uid: 1, options: BenchmarkStage.broadcaster)
viewer.joinChannel(token: nil, channelID: "bench", uid: 2, options: ChannelMediaOptions())
MonotonicClock.sleep(for: .seconds(2))
let threads = ["rtc-encode", "rtc-decode"]
latencies.withLock { $0.removeAll() }
let before = threads.map(ProcessThreads.cpuTime(named:))
let cpuBefore = ProcessStatistics.current().cpuTime
MonotonicClock.sleep(for: .seconds(Int64(seconds)))
let after = threads.map(ProcessThreads.cpuTime(named:))
let cpu = ProcessStatistics.current().cpuTime - cpuBefore
let measured = latencies.withLock { $0 }
if measured.count < seconds * 25 { report.fail("only \(measured.count) pictures came in \(seconds) s") }
let times = zip(before, after).map { ($1 - $0).seconds * 1_000 / Double(max(1, measured.count)) }
let codecs = times.reduce(0, +)
report.add("encoding, CPU per picture", times[0], "ms")
report.add("decoding, CPU per picture", times[1], "ms")
report.add("pictures received per second", Double(measured.count) / Double(seconds), "1/s")
let p50 = measured.percentile(0.5) ?? 0
report.add("picture to picture", measured, "ms", p50Limit: codecs + 3, p95Limit: p50 + 10)
report.add("picture to picture, p50, to encoding and decoding", p50 / codecs, "")
report.add("CPU of publisher, server and viewer together", cpu.seconds / Double(seconds) * 100, "% of a core")
host.destroy()
viewer.destroy()
report.finish()
