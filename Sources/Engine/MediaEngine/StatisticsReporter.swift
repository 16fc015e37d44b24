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
  }

  private struct Remote {
    var firstTime: Double
    var frozenAudio = 0
  }

  private var last = RTCStatistics()
  private var remotes: [UInt: Remote] = [:]

  /// From so much made-up sound a two-second piece counts as frozen, in percent.
  private static let frozenAudio = 4.0

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
      var report = LocalAudioReport()
      report.numChannels = now.local.audioChannelCount
      report.sentBitrate = kilobits(now.sentAudioBytes - last.sentAudioBytes, seconds)
      report.txPacketLossRate = now.sentPacketLossPercent
      reports.localAudio = report
    }
    for stream in now.remote { addRemote(stream, now, seconds, to: &reports) }
    reports.qualities = Self.qualities(
      from: last, to: now, report: reports.connection, encoder: encoder, isReachable: isReachable)
    let present = Set(now.remote.map(\.uid))
    remotes = remotes.filter { present.contains($0.key) }
    last = now
    return reports
  }

  private func kilobits(_ bytes: Int, _ seconds: Double) -> Int { Int(Double(max(0, bytes)) * 8 / 1_000 / seconds) }

  private func rate(_ count: Int, _ seconds: Double) -> Int { Int((Double(max(0, count)) / seconds).rounded()) }

  private func percent(_ part: Int, _ whole: Int) -> Int {
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
    report.userCount = now.userCount + 1
    report.connectTimeMs = Int((now.joinMilliseconds ?? 0).rounded())
    return report
  }

  private func localVideoReport(
    _ now: RTCStatistics, _ seconds: Double, _ encoder: VideoEncoderConfiguration, _ uid: UInt
  ) -> LocalVideoReport {
    var report = LocalVideoReport()
    report.uid = uid
    report.sentBitrate = kilobits(now.sentVideoBytes - last.sentVideoBytes, seconds)
    report.sentFrameRate = rate(now.sentVideoFrames - last.sentVideoFrames, seconds)
    report.captureFrameRate = rate(now.local.capturedFrames - last.local.capturedFrames, seconds)
    report.captureFrameWidth = now.local.captureWidth
    report.captureFrameHeight = now.local.captureHeight
    report.encoderOutputFrameRate = rate(now.local.encodedFrames - last.local.encodedFrames, seconds)
    report.targetBitrate = encoder.effectiveBitrate
    report.targetFrameRate = encoder.frameRate
    report.encodedFrameCount = now.sentVideoFrames
    report.txPacketLossRate = now.sentPacketLossPercent
    return report
  }

  private mutating func addRemote(
    _ stream: RemoteMediaStatistics, _ now: RTCStatistics, _ seconds: Double, to reports: inout Reports
  ) {
    let before = last.remote.first { $0.uid == stream.uid } ?? RemoteMediaStatistics(uid: stream.uid)
    var remote = remotes[stream.uid] ?? Remote(firstTime: last.duration)
    let activeTime = Int((now.duration - remote.firstTime) * 1_000)
    if stream.receivedVideoFrames > before.receivedVideoFrames || stream.freezeCount > before.freezeCount {
      reports.remoteVideo.append(videoReport(stream, before, seconds, activeTime))
    }
    let (played, concealed) = (
      stream.playedAudioFrames - before.playedAudioFrames, stream.concealedAudioFrames - before.concealedAudioFrames
    )
    if stream.receivedAudioPackets > before.receivedAudioPackets || concealed > 0 {
      let loss = played + concealed > 0 ? Double(concealed) * 100 / Double(played + concealed) : 0
      if loss >= Self.frozenAudio { remote.frozenAudio += Int(seconds * 1_000) }
      var report = RemoteAudioReport(uid: stream.uid)
      report.receivedBitrate = kilobits(stream.receivedAudioBytes - before.receivedAudioBytes, seconds)
      report.jitterBufferDelay = stream.audioDelayMilliseconds
      report.audioLossRate = Int(loss.rounded())
      report.totalFrozenTime = remote.frozenAudio
      report.frozenRate = percent(remote.frozenAudio, activeTime)
      report.totalActiveTime = activeTime
      report.quality = Self.quality(loss: loss)
      report.mosValue = MeanOpinionScore.value(
        lossPercent: loss,
        delayMilliseconds: (now.roundTripMilliseconds ?? 0) / 2 + Double(stream.audioDelayMilliseconds))
      reports.remoteAudio.append(report)
    }
    remotes[stream.uid] = remote
  }

  private func videoReport(
    _ stream: RemoteMediaStatistics, _ before: RemoteMediaStatistics, _ seconds: Double, _ activeTime: Int
  ) -> RemoteVideoReport {
    var report = RemoteVideoReport(uid: stream.uid)
    (report.width, report.height) = (stream.width, stream.height)
    report.receivedBitrate = kilobits(stream.receivedVideoBytes - before.receivedVideoBytes, seconds)
    report.decoderOutputFrameRate = rate(stream.decodedVideoFrames - before.decodedVideoFrames, seconds)
    report.rendererOutputFrameRate = report.decoderOutputFrameRate
    report.frameLossRate = percent(
      stream.droppedVideoFrames - before.droppedVideoFrames, stream.receivedVideoFrames - before.receivedVideoFrames)
    let lost = stream.videoPacketsLost - before.videoPacketsLost
    report.packetLossRate = percent(lost, lost + stream.videoPacketsReceived - before.videoPacketsReceived)
    report.totalFrozenTime = Int(stream.frozenSeconds * 1_000)
    report.frozenRate = percent(report.totalFrozenTime, activeTime)
    report.totalActiveTime = activeTime
    return report
  }

  private static func quality(loss: Double) -> Int {
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
