import EngineCore

/// What is received of remote users.
extension StatisticsReporter {
  /// Below this, times 100, many are dissatisfied (ITU-T G.109).
  private static let leastGoodScore = 360
  /// From these on a way is poor: percent of packets lost, and milliseconds that it takes or makes packets wait.
  private static let poorLoss = 3.0
  private static let poorRoundTrip = 400.0
  private static let poorQueue = 120.0
  private static let poorWay = 300.0

  mutating func addRemote(
    _ stream: RemoteMediaStatistics, _ now: RTCStatistics, _ seconds: Double, to reports: inout Reports
  ) {
    let before = before(stream)
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
      var report = audioReport(stream, before, seconds, loss: loss, now)
      report.totalFrozenTime = remote.frozenAudio
      report.frozenRate = percent(remote.frozenAudio, activeTime)
      report.totalActiveTime = activeTime
      reports.remoteAudio.append(report)
    }
    remotes[stream.uid] = remote
  }

  private func audioReport(
    _ stream: RemoteMediaStatistics, _ before: RemoteMediaStatistics, _ seconds: Double, loss: Double,
    _ now: RTCStatistics
  ) -> RemoteAudioReport {
    var report = RemoteAudioReport(uid: stream.uid)
    report.receivedBitrate = kilobits(stream.receivedAudioBytes - before.receivedAudioBytes, seconds)
    report.jitterBufferDelay = stream.audioDelayMilliseconds
    report.networkTransportDelay = Self.whole(stream.audioNetworkMilliseconds)
    let endToEnd = stream.audioDelayToTheEar
    report.e2eDelay = Self.whole(endToEnd)
    report.audioLossRate = Int(loss.rounded())
    report.publishDuration = Int(stream.audioPublishSeconds * 1_000)
    report.quality = Self.quality(loss: loss)
    report.mosValue = MeanOpinionScore.value(
      lossPercent: loss,
      delayMilliseconds: endToEnd
        ?? (now.roundTripMilliseconds ?? 0) / 2 + Double(stream.audioDelayMilliseconds))
    if report.mosValue < Self.leastGoodScore || loss >= Self.frozenAudio {
      report.qoeQuality = .bad
      report.qualityChangedReason = poorReason(stream, before, now)
    }
    return report
  }

  /// Which part of the way has lost or delayed packets in the last two seconds.
  private func poorReason(
    _ stream: RemoteMediaStatistics, _ before: RemoteMediaStatistics, _ now: RTCStatistics
  ) -> ExperiencePoorReason {
    var reason: ExperiencePoorReason = []
    let expected = now.downlinkExpectedPackets - last.downlinkExpectedPackets
    let ownLoss = share(now.downlinkLostPackets - last.downlinkLostPackets, of: expected)
    let (queue, roundTrip) = (now.downlinkQueueMilliseconds ?? 0, now.roundTripMilliseconds ?? 0)
    if ownLoss >= Self.poorLoss || queue >= Self.poorQueue || roundTrip >= Self.poorRoundTrip {
      reason.insert(.localNetworkQualityPoor)
    }
    // What is missing of the stream, and was not lost behind the server, has not come to the server.
    let missing = stream.audioPacketsLost - before.audioPacketsLost
    let come = stream.receivedAudioPackets - before.receivedAudioPackets
    let otherWay = (stream.audioNetworkMilliseconds ?? 0) - roundTrip / 2 - queue
    if share(missing, of: missing + come) - ownLoss >= Self.poorLoss || otherWay >= Self.poorWay {
      reason.insert(.remoteNetworkQualityPoor)
    }
    return reason
  }

  private func share(_ part: Int, of whole: Int) -> Double {
    whole > 0 ? min(max(Double(part) * 100 / Double(whole), 0), 100) : 0
  }

  private static func whole(_ milliseconds: Double?) -> Int {
    Int(min(max(milliseconds ?? 0, -1e9), 1e9).rounded())
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
    report.e2eDelay = Self.whole(stream.videoDelayToTheEye)
    report.rxStreamType = stream.streamType
    report.avSyncTimeMs = Self.whole(stream.soundAheadOfPicture)
    report.publishDuration = Int(stream.videoPublishSeconds * 1_000)
    report.totalFrozenTime = Int(stream.frozenSeconds * 1_000)
    report.frozenRate = percent(report.totalFrozenTime, activeTime)
    report.totalActiveTime = activeTime
    return report
  }
}

extension RemoteMediaStatistics {
  /// Milliseconds from the camera there to the picture here.
  var videoDelayToTheEye: Double? { endToEndMilliseconds.map { $0 + (videoHoldMilliseconds ?? 0) } }

  /// Milliseconds from the mouth there to the ear here.
  var audioDelayToTheEar: Double? {
    audioEndToEndMilliseconds.flatMap { way in audioHoldMilliseconds.map { way + $0 } }
  }

  /// Milliseconds by which pictures take longer than sound, all in all.
  var soundAheadOfPicture: Double? {
    guard let videoLagMilliseconds, let videoHoldMilliseconds, let audioHoldMilliseconds else { return nil }
    return videoLagMilliseconds + videoHoldMilliseconds - audioHoldMilliseconds
  }
}
