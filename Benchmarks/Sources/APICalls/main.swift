// How long calls of the engine's API take, what a hundred idle connections need, and whether joining and leaving a thousand
// times leaves anything behind.
import BenchmarkSupport
import LinuxIO
import MediaBase
import MediaEngine
import SyntheticMedia

var report = BenchmarkReport("APICalls")
let stage = try BenchmarkStage()

func measure(_ durations: inout [Double], _ body: () -> Void) {
  let start = MonotonicClock.now()
  body()
  durations.append((MonotonicClock.now() - start).seconds * 1_000)
}

func percentile99(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
}

/// Waits up to `seconds` until a condition holds; whether it does.
func waits(_ seconds: Int, _ condition: () -> Bool) -> Bool {
  for _ in 0..<seconds * 100 {
    if condition() { return true }
    MonotonicClock.sleep(for: .milliseconds(10))
  }
  return condition()
}

// Calls on an engine that publishes and receives.
do {
  let host = stage.engine(video: TestPatternSource(), hasAudio: true)
  let viewer = stage.engine()
  host.joinChannel(token: nil, channelID: "show", uid: 1, options: BenchmarkStage.broadcaster)
  viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
  if !waits(20, { viewer.statistics()?.remote.first.map { $0.decodedVideoFrames > 10 } ?? false }) {
    report.fail("nothing is received")
  }
  var calls: [(name: String, durations: [Double])] = []
  func add(_ name: String, _ count: Int = 500, _ body: (Int) -> Void) {
    var durations: [Double] = []
    for index in 0..<count {
      let start = MonotonicClock.now()
      body(index)
      durations.append((MonotonicClock.now() - start).seconds * 1_000)
    }
    calls.append((name, durations))
  }
  add("updateChannelMediaOptions") {
    host.updateChannelMediaOptions(ChannelMediaOptions(autoSubscribeVideo: $0 % 2 == 0))
  }
  add("muteLocalVideoStream") { host.muteLocalVideoStream($0 % 2 == 0) }
  add("enableLocalVideo") { host.enableLocalVideo($0 % 2 == 0) }
  add("setClientRole") { host.setClientRole($0 % 2 == 0 ? .audience : .broadcaster) }
  add("setupRemoteVideo") { _ in viewer.setupRemoteVideo(VideoCanvas(uid: 1, target: .closure { _ in })) }
  add("setVideoEncoderConfiguration") {
    host.setVideoEncoderConfiguration(VideoEncoderConfiguration(width: 640, height: 360, frameRate: 15 + $0 % 15))
  }
  add("adjustUserPlaybackSignalVolume") { viewer.adjustUserPlaybackSignalVolume(uid: 1, volume: $0 % 101) }
  add("setAudioProfile") { host.setAudioProfile($0 % 2 == 0 ? .musicStandard : .speechStandard) }
  add("statistics") { _ in _ = viewer.statistics() }
  add("muteRemoteVideoStream") { viewer.muteRemoteVideoStream(uid: 1, mute: $0 % 2 == 0) }
  add("muteAllRemoteAudioStreams") { viewer.muteAllRemoteAudioStreams($0 % 2 == 0) }
  add("startPreview, stopPreview") { _ = $0 % 2 == 0 ? host.startPreview() : host.stopPreview() }
  add("disableVideo, enableVideo") { _ = $0 % 2 == 0 ? host.disableVideo() : host.enableVideo() }
  add("setBeautyEffectOptions") { host.setBeautyEffectOptions($0 % 2 == 0, options: BeautyOptions()) }
  add("enableEncryption", 100) {
    host.enableEncryption($0 % 2 == 0, configuration: EncryptionConfiguration(mode: .aes128GCM, key: "key \($0)"))
  }
  let stream = host.createDataStream()
  add("sendStreamMessage") { _ in host.sendStreamMessage(streamID: stream, data: [1, 2, 3]) }
  let pair = RTCConnection(channelID: "second", localUID: 2)
  var (joins, leaves): ([Double], [Double]) = ([], [])
  for _ in 0..<200 {
    measure(&joins) {
      viewer.joinChannelEx(token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions())
    }
    MonotonicClock.sleep(for: .milliseconds(5))
    measure(&leaves) { viewer.leaveChannelEx(pair) }
  }
  calls += [("joinChannelEx", joins), ("leaveChannelEx", leaves)]
  for call in calls { report.add("\(call.name), p99", percentile99(call.durations), "ms", limit: 1) }
  host.destroy()
  viewer.destroy()
}

// A hundred idle connections; the server's part is in the figure too, since it runs in this process.
do {
  let engine = stage.engine()
  _ = engine.joinChannel(token: nil, channelID: "first", uid: 1, options: ChannelMediaOptions())
  _ = waits(20) { engine.connectionState() == .connected }
  MonotonicClock.sleep(for: .seconds(2))
  let before = ProcessStatistics.current()
  let connections = (0..<100).map { RTCConnection(channelID: "idle-\($0)", localUID: 1) }
  for connection in connections {
    engine.joinChannelEx(token: nil, connection: connection, delegate: nil, options: ChannelMediaOptions())
  }
  if !waits(60, { connections.allSatisfy { engine.connectionState(of: $0) == .connected } }) {
    report.fail("not all connections are joined")
  }
  MonotonicClock.sleep(for: .seconds(3))
  let grown = ProcessStatistics.current().residentBytes - before.residentBytes
  report.add("memory of one idle connection, engine and server", Double(grown) / 100 / 1_024, "KiB", limit: 256)
  engine.destroy()
}

// A thousand times in and out.
do {
  let engine = stage.engine()
  func cycle(_ count: Int) -> Int {
    var joined = 0
    for _ in 0..<count {
      engine.joinChannel(token: nil, channelID: "again", uid: 1, options: ChannelMediaOptions())
      if waits(20, { engine.connectionState() == .connected }) { joined += 1 }
      engine.leaveChannel()
    }
    return joined
  }
  _ = cycle(200)
  MonotonicClock.sleep(for: .seconds(3))
  let before = ProcessStatistics.current()
  let joined = cycle(1_000)
  MonotonicClock.sleep(for: .seconds(3))
  let after = ProcessStatistics.current()
  if joined < 1_000 { report.fail("only \(joined) of 1000 joins came about") }
  report.add("threads more after 1000 joins", Double(after.threadCount - before.threadCount), "", limit: 0)
  report.add(
    "descriptors more after 1000 joins", Double(after.fileDescriptorCount - before.fileDescriptorCount), "", limit: 0)
  report.add(
    "memory more for each of 1000 joins", Double(after.residentBytes - before.residentBytes) / 1_000, "bytes",
    limit: 2_048)
  engine.destroy()
}
report.finish()
