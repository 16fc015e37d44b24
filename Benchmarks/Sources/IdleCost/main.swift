// What a connection costs that is joined and neither sends nor receives media: CPU of engine and server together.
import BenchmarkSupport
import LinuxIO
import MediaBase
import MediaEngine

var report = BenchmarkReport("IdleCost")
let stage = try BenchmarkStage()
let count = 20
let seconds = 10
let engine = stage.engine()
let connections = (0..<count).map { RTCConnection(channelID: "idle-\($0)", localUID: 1) }
for connection in connections {
  engine.joinChannelEx(token: nil, connection: connection, delegate: nil, options: ChannelMediaOptions())
}
MonotonicClock.sleep(for: .seconds(2))
let before = ProcessStatistics.current().cpuTime
MonotonicClock.sleep(for: .seconds(Int64(seconds)))
let spent = ProcessStatistics.current().cpuTime - before
report.add(
  "CPU of one idle connection, engine and server", spent.seconds / Double(seconds) / Double(count) * 100, "% of a core",
  limit: 0.2)
let joined = connections.count { engine.connectionState(of: $0) == .connected }
if joined < count { report.fail("only \(joined) of \(count) connections are joined") }
engine.destroy()
report.finish()
