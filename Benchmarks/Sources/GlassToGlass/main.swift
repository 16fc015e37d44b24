// From a picture handed to the engine to the decoded picture handed out, through the server, on loopback; against the time
// that encoding and decoding the same pictures took in the same run.
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
let decodes = Mutex<[Double]>([])
viewer.setRemoteVideoFrameObserver { remote in
  let now = MonotonicClock.now()
  guard let captured = FrameClock.read(remote.frame) else { return }
  latencies.withLock { $0.append(Double((now - captured).nanoseconds) / 1e6) }
  decodes.withLock { $0.append(Double(remote.decodeDuration.nanoseconds) / 1e6) }
}
host.joinChannel(token: nil, channelID: "bench", uid: 1, options: BenchmarkStage.broadcaster)
viewer.joinChannel(token: nil, channelID: "bench", uid: 2, options: ChannelMediaOptions())
MonotonicClock.sleep(for: .seconds(2))
latencies.withLock { $0.removeAll() }
decodes.withLock { $0.removeAll() }
let before = host.statistics()?.local
let cpuBefore = ProcessStatistics.current().cpuTime
MonotonicClock.sleep(for: .seconds(Int64(seconds)))
let after = host.statistics()?.local
let cpu = ProcessStatistics.current().cpuTime - cpuBefore
let measured = latencies.withLock { $0 }
let decodeTimes = decodes.withLock { $0 }
let encodedFrames = (after?.encodedFrames ?? 0) - (before?.encodedFrames ?? 0)
let encode = ((after?.encodeSeconds ?? 0) - (before?.encodeSeconds ?? 0)) * 1_000 / Double(max(1, encodedFrames))
let decode = decodeTimes.mean
report.add("encoding, mean", encode, "ms")
report.add("decoding, mean", decode, "ms")
report.add("pictures received per second", Double(measured.count) / Double(seconds), "1/s")
let p50 = measured.percentile(0.5) ?? 0
report.add(
  "picture to picture", measured, "ms", p50Limit: encode + decode + 3, p95Limit: p50 + 10)
report.add("CPU of publisher, server and viewer together", cpu.seconds / Double(seconds) * 100, "% of a core")
host.destroy()
viewer.destroy()
report.finish()
