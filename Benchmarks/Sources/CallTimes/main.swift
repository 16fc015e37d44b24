// A show's host is called, accepts, and comes back to the show: how long from accepting to the first picture of the call on
// both sides, and from publishing again to the first picture at the show's viewer. Both sides join while it rings.
import BenchmarkSupport
import LinuxIO
import MediaBase
import MediaEngine

var report = BenchmarkReport("CallTimes")
let stage = try BenchmarkStage()
let host = CallParticipant(stage, uid: 1)
let caller = CallParticipant(stage, uid: 2)
let viewer = stage.engine()
let show = PictureWatch(viewer)
host.engine.joinChannel(token: nil, channelID: "show", uid: 1, options: BenchmarkStage.broadcaster)
caller.engine.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
viewer.joinChannel(token: nil, channelID: "show", uid: 3, options: ChannelMediaOptions())
_ = show.wait(channel: "show", since: MonotonicClock.now())
guard host.prepare(room: "unused") else { fatalError("The host could not prepare for calls.") }

var atCaller: [Double] = []
var atCallee: [Double] = []
var connected: [Double] = []
var resumptions: [Double] = []
let rounds = 40

/// One call; whether it went as it should.
@MainActor func runCall(_ round: Int) -> Bool {
  let room = "call-\(round)"
  caller.clear()
  host.clear()
  guard caller.prepare(room: room) else { return false }
  caller.calls.call(remoteUserID: host.uid)
  guard host.wait(for: .calling) != nil else { return false }
  // It rings; spread over the time between two pictures.
  MonotonicClock.sleep(for: .milliseconds(Int64(400 + round * 7 % 33)))
  host.clear()
  let begin = MonotonicClock.now()
  host.calls.accept(remoteUserID: caller.uid)
  host.engine.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: false, publishMicrophoneTrack: false))
  guard let callerTime = caller.pictures.wait(channel: room, since: begin),
    let calleeTime = host.pictures.wait(channel: room, since: begin), let first = caller.wait(for: .connected),
    let second = host.wait(for: .connected)
  else { return false }
  atCaller.append(callerTime)
  atCallee.append(calleeTime)
  connected.append(Double((max(first, second) - begin).nanoseconds) / 1e6)
  MonotonicClock.sleep(for: .milliseconds(Int64(400 + round * 5 % 33)))
  caller.calls.hangup(remoteUserID: host.uid)
  guard host.wait(for: .prepared) != nil else { return false }
  show.clear()
  let resumption = MonotonicClock.now()
  host.engine.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: true, publishMicrophoneTrack: true))
  guard let time = show.wait(channel: "show", since: resumption) else { return false }
  resumptions.append(time)
  return true
}

for round in 0..<rounds where !runCall(round) { report.fail("call \(round) did not go as it should") }
report.add("from accepting to the first decoded picture at the caller", atCaller, "ms", p95Limit: 100)
report.add("from accepting to the next decoded picture at the callee", atCallee, "ms", p95Limit: 100)
report.add("from accepting to connected on both sides", connected, "ms")
report.add("from publishing again after a call to the first picture at a viewer", resumptions, "ms", p95Limit: 80)
viewer.destroy()
host.close()
caller.close()
report.finish()
