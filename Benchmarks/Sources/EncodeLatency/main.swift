// How long one picture takes in libvpx alone, in the engine's encoder, and on the engine's encode thread, for the same
// pictures with the same settings: the differences are what our wrapping costs.
import BenchmarkSupport
import LinuxIO
import MediaBase
import MediaEngine
import SyntheticMedia
import VPXCodec

var report = BenchmarkReport("EncodeLatency")
let (width, height) = (640, 360)
let pattern = TestPattern(width: width, height: height)
let frames = (0..<90).map { pattern.frame(atSeconds: Double($0) / 30, captureTime: .zero) }
let configuration = VP8EncoderConfiguration(
  width: width, height: height, frameRate: 30, bitrateKilobitsPerSecond: 800)

var packets: [EncodedVideoFrame] = []
/// The fastest time of each picture: what is left when nothing else disturbed.
var fastestOwn = [Double](repeating: .infinity, count: frames.count)
var fastestRaw = fastestOwn
var ownTimes: [Double] = []
var rawTimes: [Double] = []
for round in 0..<12 {
  let encoder = try VP8Encoder(configuration: configuration)
  let raw = RawEncoder(configuration)
  packets.removeAll()
  for (index, frame) in frames.enumerated() {
    let timestamp = UInt32(index * 3_000)
    let isRawFirst = (index + round) % 2 == 0
    var rawResult = isRawFirst ? raw.encode(frame, timestamp: timestamp) : (0, 0)
    let begin = ProcessStatistics.currentThreadCPUTime()
    let packet = try encoder.encode(frame, timestamp: timestamp, forceKeyFrame: index == 0)
    let own = (ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1_000
    if !isRawFirst { rawResult = raw.encode(frame, timestamp: timestamp) }
    if rawResult.0 != packet?.data.count ?? 0 { report.fail("libvpx alone made another picture than VP8Encoder") }
    if let packet { packets.append(packet) }
    ownTimes.append(own)
    rawTimes.append(rawResult.1)
    fastestOwn[index] = min(fastestOwn[index], own)
    fastestRaw[index] = min(fastestRaw[index], rawResult.1)
  }
}
report.add("libvpx alone, CPU per picture", rawTimes, "ms")
report.add("VP8Encoder, CPU per picture", ownTimes, "ms")
report.add("VP8Encoder to libvpx, CPU, fastest of 12", fastestOwn.mean / fastestRaw.mean, "", limit: 1.05)

var decodeTimes: [Double] = []
let decoder = try VP8Decoder()
for packet in packets {
  let begin = ProcessStatistics.currentThreadCPUTime()
  _ = try decoder.decode(packet)
  decodeTimes.append((ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1_000)
}
report.add("VP8Decoder, CPU per picture", decodeTimes, "ms")

let stage = try BenchmarkStage()
let source = ComparingSource(configuration)
let host = stage.engine(video: source)
host.joinChannel(token: nil, channelID: "bench", uid: 1, options: BenchmarkStage.broadcaster)
MonotonicClock.sleep(for: .seconds(1))
var ratios: [Double] = []
for _ in 0..<15 {
  _ = source.takeTimes()
  let (countBefore, timeBefore) = (
    host.statistics()?.local.encodedFrames ?? 0, ProcessThreads.cpuTime(named: "rtc-encode")
  )
  MonotonicClock.sleep(for: .seconds(1))
  let raw = source.takeTimes()
  let (count, time) = (host.statistics()?.local.encodedFrames ?? 0, ProcessThreads.cpuTime(named: "rtc-encode"))
  guard count > countBefore, !raw.isEmpty else { continue }
  ratios.append((time - timeBefore).seconds * 1_000 / Double(count - countBefore) / raw.mean)
}
host.destroy()
if ratios.isEmpty { report.fail("the engine encoded nothing") }
report.add("the engine's encode thread to libvpx, CPU, live, of seconds", ratios, "", p50Limit: 1.05)
report.finish()
