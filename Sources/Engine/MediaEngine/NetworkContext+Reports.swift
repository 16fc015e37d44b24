import EngineCore
import LinuxIO
import MediaBase

extension NetworkContext {
  /// The reports that are due every two seconds.
  func reportStatistics(of connection: ConnectionRuntime) {
    guard let runtime else { return }
    let handle = connection.handle
    let name = handle.connection
    var reports = connection.reporter.report(
      statistics(of: connection), encoder: connection.encoder, uid: name.localUID,
      isReachable: handle.connectionState == .connected)
    let usage = processUsage()
    reports.connection.cpuAppUsage = usage.cpuPercent
    reports.connection.memoryAppUsageInKbytes = usage.kilobytes
    runtime.tell(handle, .statistics(name, reports.connection))
    if let report = reports.localVideo { runtime.tell(handle, .localVideoStatistics(name, report)) }
    if let report = reports.localAudio { runtime.tell(handle, .localAudioStatistics(name, report)) }
    for report in reports.remoteVideo { runtime.tell(handle, .remoteVideoStatistics(name, report)) }
    for report in reports.remoteAudio { runtime.tell(handle, .remoteAudioStatistics(name, report)) }
    for report in reports.qualities {
      runtime.tell(handle, .networkQuality(name, uid: report.uid, tx: report.tx, rx: report.rx))
    }
    if let info = reports.uplink { runtime.tell(handle, .uplinkNetworkInfo(name, info)) }
    if let info = reports.downlink { runtime.tell(handle, .downlinkNetworkInfo(name, info)) }
  }

  /// What the process uses, measured at most once a second for all connections.
  private func processUsage() -> (cpuPercent: Double, kilobytes: Int) {
    let now = MonotonicClock.now()
    if let last = usage, now - last.time < .seconds(1) { return (last.cpuPercent, last.kilobytes) }
    let current = ProcessStatistics.current()
    let processors = Double(max(1, ProcessStatistics.processorCount))
    var percent = 0.0
    if let last = usage, now > last.time {
      percent = (current.cpuTime - last.cpuTime).seconds / (now - last.time).seconds * 100 / processors
    }
    usage = ProcessUsage(
      time: now, cpuTime: current.cpuTime, cpuPercent: percent, kilobytes: current.residentBytes / 1_024)
    return (percent, current.residentBytes / 1_024)
  }
}

/// What the process used when it was looked at last.
struct ProcessUsage {
  var time: MediaInstant
  var cpuTime: MediaDuration
  var cpuPercent: Double
  var kilobytes: Int
}
