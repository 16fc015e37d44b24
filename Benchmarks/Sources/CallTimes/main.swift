// A show's host is called, accepts, and comes back to the show. In half of the calls it accepts at once, in the others it lets
// them ring, so that both sides have joined the call's channel by then.
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

/// Milliseconds of one kind of call.
struct Times {
  var messages: [Double] = []
  var atCaller: [Double] = []
  var atCallee: [Double] = []
  var connected: [Double] = []
  var moves: [Double] = []
  var resumptions: [Double] = []
}

var atOnce = Times()
var rung = Times()
let rounds = 80

func milliseconds(_ duration: MediaDuration) -> Double { Double(duration.nanoseconds) / 1e6 }

/// The host of the story: away from the show when a call comes or is accepted, back when it has ended.
func setHost(acceptsAtOnce: Bool) {
  let (engine, calls, peer) = (host.engine, host.calls, caller.uid)
  host.react { state in
    switch state {
    case .calling where acceptsAtOnce:
      engine.updateChannelMediaOptions(
        ChannelMediaOptions(publishCameraTrack: false, publishMicrophoneTrack: false))
      calls.accept(remoteUserID: peer)
    case .prepared:
      engine.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: true, publishMicrophoneTrack: true))
    default: break
    }
  }
}

/// One call; whether it went as it should.
@MainActor func runCall(_ round: Int, acceptsAtOnce: Bool, _ times: inout Times) -> Bool {
  let room = "call-\(round)"
  guard caller.prepare(room: room) else { return false }
  caller.clear()
  host.clear()
  setHost(acceptsAtOnce: acceptsAtOnce)
  let callTime = MonotonicClock.now()
  caller.calls.call(remoteUserID: host.uid)
  guard let ringTime = host.wait(for: .calling) else { return false }
  times.messages.append(milliseconds(ringTime - callTime))
  var begin = ringTime
  if !acceptsAtOnce {
    // It rings; spread over the time between two pictures.
    MonotonicClock.sleep(for: .milliseconds(Int64(400 + round * 7 % 33)))
    host.pictures.clear()
    begin = MonotonicClock.now()
    host.engine.updateChannelMediaOptions(ChannelMediaOptions(publishCameraTrack: false, publishMicrophoneTrack: false))
    host.calls.accept(remoteUserID: caller.uid)
  }
  guard let callerTime = caller.pictures.wait(channel: room, since: begin),
    let calleeTime = host.pictures.wait(channel: room, since: begin), let first = caller.wait(for: .connected),
    let second = host.wait(for: .connected)
  else { return false }
  times.atCaller.append(callerTime)
  times.atCallee.append(calleeTime)
  times.connected.append(max(milliseconds(max(first, second) - begin), callerTime, calleeTime))
  MonotonicClock.sleep(for: .milliseconds(Int64(400 + round * 5 % 33)))
  // Nothing of the show has come for long.
  guard let last = show.last(channel: "show") else { return false }
  times.moves.append(callerTime - milliseconds(last - begin))
  show.clear()
  let hangup = MonotonicClock.now()
  caller.calls.hangup(remoteUserID: host.uid)
  guard let time = show.wait(channel: "show", since: hangup) else { return false }
  times.resumptions.append(time)
  MonotonicClock.sleep(for: .milliseconds(300))
  return true
}

for round in 0..<rounds {
  let isFine =
    round.isMultiple(of: 2)
    ? runCall(round, acceptsAtOnce: false, &rung) : runCall(round, acceptsAtOnce: true, &atOnce)
  if !isFine { report.fail("call \(round) did not go as it should") }
}
report.add("from calling to the ring at the other side", rung.messages + atOnce.messages, "ms", p95Limit: 5)
report.add("from accepting to the first decoded picture at the caller", rung.atCaller, "ms", p95Limit: 100)
report.add("from accepting to the next decoded picture at the callee", rung.atCallee, "ms", p95Limit: 100)
report.add("from accepting to connected and seen on both sides", rung.connected, "ms", p95Limit: 100)
report.add("the same, accepted at once when it rings", atOnce.connected, "ms", p95Limit: 100)
report.add("from the viewers' last picture of the show to the caller's first", rung.moves, "ms", p95Limit: 150)
report.add("the same, accepted at once when it rings", atOnce.moves, "ms", p95Limit: 150)
report.add(
  "from hanging up to the viewers' first picture of the show", rung.resumptions + atOnce.resumptions, "ms",
  p95Limit: 100)
viewer.destroy()
host.close()
caller.close()
report.finish()
