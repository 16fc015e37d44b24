// 10,000 users are logged in at one server: what each costs it in memory, and how long texts take at 2,000 a second. The
// server has a process of its own; all clients are read by one thread and written by another.
import BenchmarkSupport
import Foundation
import Glibc
import LinuxIO
import MediaBase

if CommandLine.arguments.contains("server") { try ServerProcess.serve() }

var limit = rlimit()
getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
limit.rlim_cur = limit.rlim_max
setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

var report = BenchmarkReport("SignalLoad")
/// How many are asked for; fewer if logging in takes too long.
var userCount = 10_000
let loginPatience = MediaDuration.seconds(90)
let rate = 2_000
let seconds = 10
guard let server = ServerProcess() else { fatalError("The server could not be started.") }
var clients: [LoadClient] = []
let reader = LoadReader()

/// Everybody logs in; those before already idle.
@MainActor func logIn(upTo count: Int) {
  let start = MonotonicClock.now()
  for uid in clients.count + 1...count {
    guard MonotonicClock.now() - start < loginPatience else { break }
    guard let client = LoadClient(port: server.port, path: "/v1/signal") else {
      return report.fail("user \(uid) could not connect")
    }
    client.send(
      "{\"type\":\"login\",\"version\":1,\"uid\":\(uid),\"token\":\"\",\"session\":\"session-of-user-\(uid)\"}")
    client.read()
    clients.append(client)
    reader.watch(client)
  }
}

logIn(upTo: 500)
MonotonicClock.sleep(for: .milliseconds(500))
let before = server.residentByteCount
let loginStart = MonotonicClock.now()
logIn(upTo: userCount)
let loginSeconds = (MonotonicClock.now() - loginStart).seconds
if clients.count < userCount { report.fail("only \(clients.count) of \(userCount) users could log in in time") }
userCount = clients.count
MonotonicClock.sleep(for: .seconds(2))
report.add(
  "memory of the server for each logged-in idle user",
  Double(server.residentByteCount - before) / Double(userCount - 500) / 1_024,
  "KiB", limit: 20)
report.add("logins a second, one after another", Double(userCount - 500) / loginSeconds, "1/s")
let idleStart = server.processorSeconds
MonotonicClock.sleep(for: .seconds(5))
report.add("CPU of the server while all are idle", (server.processorSeconds - idleStart) / 5 * 100, "%")

var random = SeededRandom(seed: 1)
var requestCount = 0

/// Texts between users at the rate that is asked for; how long each took goes into the report.
@MainActor func load(_ name: String) {
  reader.delays.withLock { $0 = [] }
  let loadStart = server.processorSeconds
  let start = MonotonicClock.now()
  for number in 0..<rate * seconds {
    let due = start + .microseconds(Int64(number) * 1_000_000 / Int64(rate))
    let early = due - MonotonicClock.now()
    if early > .microseconds(100) { MonotonicClock.sleep(for: early) }
    let sender = clients[Int.random(in: 0..<userCount, using: &random)]
    let receiver = Int.random(in: 1...userCount, using: &random)
    requestCount += 1
    sender.send(
      "{\"type\":\"send\",\"requestID\":\(requestCount),\"to\":\(receiver),\"message\":\"sent at \(MonotonicClock.now().nanoseconds)\"}"
    )
  }
  let sendSeconds = (MonotonicClock.now() - start).seconds
  MonotonicClock.sleep(for: .seconds(1))
  report.add("texts sent a second\(name)", Double(rate * seconds) / sendSeconds, "1/s")
  report.add(
    "CPU of the server under that load\(name)", (server.processorSeconds - loadStart) / (sendSeconds + 1) * 100, "%")
  let values = reader.delays.withLock { $0 }
  if values.count != rate * seconds { report.fail("\(values.count) of \(rate * seconds) texts came\(name)") }
  report.add("from sending a text to its receiver\(name), p50", values.percentile(0.5) ?? 0, "ms")
  report.add("from sending a text to its receiver\(name), p99", values.percentile(0.99) ?? 0, "ms", limit: 10)
  report.add("from sending a text to its receiver\(name), worst", values.max() ?? 0, "ms")
}

load("")
let flood = Flood(port: server.port, uid: userCount + 1)
let floodStart = MonotonicClock.now()
load(", beside a flood")
let floodSeconds = (MonotonicClock.now() - floodStart).seconds
flood.end()
report.add("texts a second that one user tries to send meanwhile", Double(flood.counts.sent) / floodSeconds, "1/s")
report.add("logins of that user", Double(flood.counts.logins), "")
var loads = [Double](repeating: 0, count: 3)
getloadavg(&loads, 3)
report.add("load of the machine beside it (average of 1 min)", loads[0], "")
reader.end()
clients.removeAll()
server.end()
report.finish()
