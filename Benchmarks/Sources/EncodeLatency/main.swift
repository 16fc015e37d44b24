// How long one picture takes in libvpx, and how long the encoder of the engine takes for the same pictures with the same
// settings: the difference is what our wrapping costs.
import BenchmarkSupport
import CRawEncoder
import LinuxIO
import MediaBase
import SyntheticMedia
import VPXCodec

var report = BenchmarkReport("EncodeLatency")
let (width, height) = (640, 360)
let pattern = TestPattern(width: width, height: height)
let frames = (0..<90).map { pattern.frame(atSeconds: Double($0) / 30, captureTime: .zero) }
let configuration = VP8EncoderConfiguration(
  width: width, height: height, frameRate: 30, bitrateKilobitsPerSecond: 800)

/// The CPU time of libvpx alone for each picture, in milliseconds.
func encodeRaw(_ times: inout [Double]) {
  let encoder = raw_encoder_make(
    Int32(width), Int32(height), 30, Int32(configuration.bitrateKilobitsPerSecond), Int32(configuration.speed))
  defer { raw_encoder_free(encoder) }
  for (index, frame) in frames.enumerated() {
    let begin = ProcessStatistics.currentThreadCPUTime()
    _ = raw_encoder_encode(
      encoder, frame.planeY, frame.planeU, frame.planeV, Int32(frame.strideY), Int32(frame.strideUV),
      Int64(index) * 3_000, index == 0 ? 1 : 0)
    times.append((ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1_000)
  }
}

func encodeAll(_ encoder: VP8Encoder, _ times: inout [Double], _ packets: inout [EncodedVideoFrame]) throws {
  for (index, frame) in frames.enumerated() {
    let begin = ProcessStatistics.currentThreadCPUTime()
    if let packet = try encoder.encode(frame, timestamp: UInt32(index) &* 3_000, forceKeyFrame: index == 0) {
      packets.append(packet)
    }
    times.append((ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1_000)
  }
}

var engineTimes: [Double] = []
var rawTimes: [Double] = []
var ratios: [Double] = []
var packets: [EncodedVideoFrame] = []
// Alternating, so that a change of the machine's speed meets both.
for round in 0..<10 {
  var own: [Double] = []
  var raw: [Double] = []
  packets.removeAll()
  if round % 2 == 0 { encodeRaw(&raw) }
  try encodeAll(VP8Encoder(configuration: configuration), &own, &packets)
  if round % 2 == 1 { encodeRaw(&raw) }
  engineTimes += own
  rawTimes += raw
  ratios.append(own.mean / raw.mean)
}
report.add("libvpx alone, CPU per picture", rawTimes, "ms")
report.add("VP8Encoder, CPU per picture", engineTimes, "ms")
report.add("VP8Encoder to libvpx, CPU, median of 10 pairs", ratios.percentile(0.5) ?? 0, "", limit: 1.05)

var decodeTimes: [Double] = []
let decoder = try VP8Decoder()
for packet in packets {
  let begin = ProcessStatistics.currentThreadCPUTime()
  _ = try decoder.decode(packet)
  decodeTimes.append((ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1_000)
}
report.add("VP8Decoder, CPU per picture", decodeTimes, "ms")
report.finish()
