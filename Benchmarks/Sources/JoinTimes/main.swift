// How long people wait: from joining to the first picture, alone and shortly after somebody else, and from publishing again
// to the first picture at a viewer.
import BenchmarkSupport
import LinuxIO
import MediaBase
import MediaEngine
import SyntheticMedia

var report = BenchmarkReport("JoinTimes")
let stage = try BenchmarkStage()
let host = stage.engine(video: TestPatternSource(), hasAudio: true)
host.joinChannel(token: nil, channelID: "bench", uid: 1, options: BenchmarkStage.broadcaster)
MonotonicClock.sleep(for: .seconds(1))

var joins: [Double] = []
for round in 0..<40 {
  let viewer = stage.engine()
  let watch = PictureWatch(viewer)
  // Spread over the time between two pictures, and so far apart that no join waits because another has just been given a
  // key frame.
  MonotonicClock.sleep(for: .milliseconds(Int64(350 + round * 7 % 33)))
  let begin = MonotonicClock.now()
  viewer.joinChannel(token: nil, channelID: "bench", uid: 2, options: ChannelMediaOptions())
  let time = watch.wait(channel: "bench", since: begin)
  if let time { joins.append(time) } else { report.fail("no picture after join \(round)") }
  viewer.destroy()
}
report.add("from the join call to the first decoded picture", joins, "ms", p95Limit: 150)

// Two join one after the other: the second needs a key frame so soon after the first one's.
var seconds: [Double] = []
for round in 0..<20 {
  let (first, second) = (stage.engine(), stage.engine())
  let watch = PictureWatch(second)
  MonotonicClock.sleep(for: .milliseconds(Int64(1_000 + round * 7 % 33)))
  first.joinChannel(token: nil, channelID: "bench", uid: 2, options: ChannelMediaOptions())
  MonotonicClock.sleep(for: .milliseconds(60))
  let begin = MonotonicClock.now()
  second.joinChannel(token: nil, channelID: "bench", uid: 3, options: ChannelMediaOptions())
  let time = watch.wait(channel: "bench", since: begin)
  if let time { seconds.append(time) } else { report.fail("no picture after second join \(round)") }
  first.destroy()
  second.destroy()
}
report.add("the same, 60 ms after somebody else", seconds, "ms", p95Limit: 150)

let viewer = stage.engine()
let watch = PictureWatch(viewer)
viewer.joinChannel(token: nil, channelID: "bench", uid: 2, options: ChannelMediaOptions())
_ = watch.wait(channel: "bench", since: MonotonicClock.now())
var resumptions: [Double] = []
for round in 0..<40 {
  host.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: false, publishMicrophoneTrack: false))
  MonotonicClock.sleep(for: .milliseconds(Int64(200 + round * 7 % 33)))
  watch.clear()
  let begin = MonotonicClock.now()
  host.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: true, publishMicrophoneTrack: true))
  let time = watch.wait(channel: "bench", since: begin)
  if let time { resumptions.append(time) } else { report.fail("no picture after publishing again, \(round)") }
}
report.add("from publishing again to the first picture at a viewer", resumptions, "ms", p95Limit: 80)
viewer.destroy()
host.destroy()
report.finish()
