import EngineCore
import MediaBase

/// Makes reports of two snapshots of a connection's totals, without any clock or thread.
struct StatisticsReporter {
  /// Everything that is reported at once.
  struct Reports {
    var connection = RTCConnectionReport()
    var localVideo: LocalVideoReport?
    var localAudio: LocalAudioReport?
    var remoteVideo: [RemoteVideoReport] = []
    var remoteAudio: [RemoteAudioReport] = []
    var qualities: [NetworkQualityReport] = []
    var uplink: UplinkNetworkInfo?
    var downlink: DownlinkNetworkInfo?
  }

  struct Remote {
    var firstTime: Double
    var frozenAudio = 0
  }

  private(set) var last = RTCStatistics()

  /// - Parameter local: what this side's capture and encoders, which others use too, had made before the connection began.
  init(local: LocalMediaStatistics = LocalMediaStatistics()) { last.local = local }

  var remotes: [UInt: Remote] = [:]

  /// From so much made-up sound a two-second piece counts as frozen, in percent.
  static let frozenAudio = 4.0

  /// Reports on what has happened since the last call.
  ///
  /// - Parameter isReachable: whether the connection is up.
  mutating func report(
    _ now: RTCStatistics, encoder: VideoEncoderConfiguration, uid: UInt, isReachable: Bool = true
  ) -> Reports {
    let seconds = max(0.001, now.duration - last.duration)
    var reports = Reports()
    reports.connection = connectionReport(now, seconds)
    if now.sentVideoFrames > last.sentVideoFrames {
      reports.localVideo = localVideoReport(now, seconds, encoder, uid)
    }
    if now.sentAudioFrames > last.sentAudioFrames {
      reports.localAudio = localAudioReport(now, seconds)
    }
    for stream in now.remote { addRemote(stream, now, seconds, to: &reports) }
    reports.qualities = Self.qualities(
      from: last, to: now, report: reports.connection, encoder: encoder, isReachable: isReachable)
    reports.uplink = uplinkInfo(now)
    reports.downlink = downlinkInfo(now, seconds)
    let present = Set(now.remote.map(\.uid))
    remotes = remotes.filter { present.contains($0.key) }
    last = now
    return reports
  }

  /// What the last report was of a user; nothing for one who is new.
  func before(_ stream: RemoteMediaStatistics) -> RemoteMediaStatistics {
    last.remote.first { $0.uid == stream.uid } ?? RemoteMediaStatistics(uid: stream.uid)
  }

  func kilobits(_ bytes: Int, _ seconds: Double) -> Int { Int(Double(max(0, bytes)) * 8 / 1_000 / seconds) }

  func rate(_ count: Int, _ seconds: Double) -> Int { Int((Double(max(0, count)) / seconds).rounded()) }

  func percent(_ part: Int, _ whole: Int) -> Int {
    whole > 0 ? min(100, max(0, Int((Double(part) * 100 / Double(whole)).rounded()))) : 0
  }

  private func connectionReport(_ now: RTCStatistics, _ seconds: Double) -> RTCConnectionReport {
    var report = RTCConnectionReport()
    report.duration = Int(now.duration)
    (report.txBytes, report.rxBytes) = (now.sentBytes, now.receivedBytes)
    (report.txAudioBytes, report.txVideoBytes) = (now.sentAudioBytes, now.sentVideoBytes)
    (report.rxAudioBytes, report.rxVideoBytes) = (now.receivedAudioBytes, now.receivedVideoBytes)
    report.txKBitRate = kilobits(now.sentBytes - last.sentBytes, seconds)
    report.rxKBitRate = kilobits(now.receivedBytes - last.receivedBytes, seconds)
    report.txAudioKBitRate = kilobits(now.sentAudioBytes - last.sentAudioBytes, seconds)
    report.txVideoKBitRate = kilobits(now.sentVideoBytes - last.sentVideoBytes, seconds)
    report.rxAudioKBitRate = kilobits(now.receivedAudioBytes - last.receivedAudioBytes, seconds)
    report.rxVideoKBitRate = kilobits(now.receivedVideoBytes - last.receivedVideoBytes, seconds)
    report.lastmileDelay = Int((now.roundTripMilliseconds ?? 0).rounded())
    report.gatewayRtt = report.lastmileDelay
    report.txPacketLossRate = now.sentPacketLossPercent
    let missed = now.missedMediaPackets - last.missedMediaPackets
    report.rxPacketLossRate = percent(missed, missed + now.receivedMediaPackets - last.receivedMediaPackets)
    report.uplinkKBitRate = now.uplinkKilobitsPerSecond ?? 0
    report.videoTargetKBitRate =
      now.sentVideoFrames > last.sentVideoFrames ? now.local.encoding.targetBitrate : 0
    report.downlinkKBitRate = now.downlinkKilobitsPerSecond ?? 0
    report.downlinkQueueDelay = Int((now.downlinkQueueMilliseconds ?? 0).rounded())
    report.userCount = now.userCount + 1
    report.connectTimeMs = Int((now.joinMilliseconds ?? 0).rounded())
    return report
  }

  static func quality(loss: Double) -> Int {
    switch loss {
    case ..<1: 1
    case ..<3: 2
    case ..<6: 3
    case ..<12: 4
    case ..<50: 5
    default: 6
    }
  }
}
