// What forwarding costs the real server, in a process of its own, with real participants by WHIP, WHEP and the control
// protocol on loopback; beside it a bare C loop that encrypts and sends as much, and a plain Pion SFU with the same clients.
import BenchmarkSupport
import ControlWire
import Foundation
import Glibc
import LinuxIO
import MediaBase

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  print(Options.usage)
  exit(2)
}
var limit = rlimit()
getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
limit.rlim_cur = limit.rlim_max
setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
// Other programs on the machine disturb less; allowed to root only. Servers inherit it.
setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10)
if options.isRealtime {
  var parameters = sched_param(sched_priority: 1)
  sched_setscheduler(0, SCHED_RR, &parameters)
}

var report = BenchmarkReport("Forwarding")
var bench = ForwardingBench(options: options)
if options.includes("video") || options.includes("floor") { bench.run("video", &report) { try $0.video(&$1) } }
if options.includes("audio") { bench.run("audio", &report) { try $0.audio(&$1) } }
if options.includes("memory") { bench.run("memory", &report) { try $0.memory(&$1) } }
if options.includes("channels") { bench.run("channels", &report) { try $0.channels(&$1) } }
if options.includes("flood") { bench.run("flood", &report) { try $0.flood(&$1) } }
report.finish()
