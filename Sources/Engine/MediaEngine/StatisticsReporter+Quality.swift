extension StatisticsReporter {
  /// What has been sent and received since the last snapshot, judged.
  ///
  /// - Parameter isReachable: whether the connection is up; what is down has no other measure.
  static func qualities(
    from last: RTCStatistics, to now: RTCStatistics, report: RTCConnectionReport, encoder: VideoEncoderConfiguration,
    isReachable: Bool
  ) -> [NetworkQualityReport] {
    var own = NetworkQualityReport(uid: 0, tx: .down, rx: .down)
    if isReachable {
      own.tx = sending(from: last, to: now, encoder: encoder)
      own.rx = receiving(from: last, to: now, report: report)
    }
    let others = now.remote.map { stream in
      NetworkQualityReport(
        uid: stream.uid, tx: isReachable ? sending(stream, last.remote.first { $0.uid == stream.uid }) : .unknown,
        rx: .unknown)
    }
    return [own] + others
  }

  private static func sending(
    from last: RTCStatistics, to now: RTCStatistics, encoder: VideoEncoderConfiguration
  ) -> NetworkQuality {
    let sendsVideo = now.sentVideoFrames > last.sentVideoFrames
    guard sendsVideo || now.sentAudioFrames > last.sentAudioFrames else { return .unknown }
    var share: Double?
    if sendsVideo, let carried = now.videoKilobitsPerSecond {
      share = min(1, Double(carried) / Double(max(1, encoder.effectiveBitrate)))
    }
    return .worst(
      lossPercent: max(Double(now.sentPacketLossPercent), now.uplinkLossRate * 100),
      roundTrip: now.roundTripMilliseconds, unevenness: now.uplinkQueueMilliseconds, share: share)
  }

  private static func receiving(
    from last: RTCStatistics, to now: RTCStatistics, report: RTCConnectionReport
  ) -> NetworkQuality {
    guard now.remote.contains(where: { hasCome($0, last.remote) }) else { return .unknown }
    let heldBack = now.remote.filter { $0.receivedAudioPackets > 0 }.map(\.audioDelayMilliseconds).max()
    return .worst(
      lossPercent: Double(report.rxPacketLossRate), roundTrip: now.roundTripMilliseconds,
      unevenness: heldBack.map(Double.init))
  }

  /// Losses of one user's stream on the whole way here.
  private static func sending(_ stream: RemoteMediaStatistics, _ before: RemoteMediaStatistics?) -> NetworkQuality {
    let before = before ?? RemoteMediaStatistics(uid: stream.uid)
    guard hasCome(stream, [before]) else { return .unknown }
    let lost = missed(stream) - missed(before)
    let come = arrived(stream) - arrived(before)
    return .worst(
      lossPercent: Double(lost) * 100 / Double(max(1, lost + come)), roundTrip: nil, unevenness: nil)
  }

  private static func hasCome(_ stream: RemoteMediaStatistics, _ before: [RemoteMediaStatistics]) -> Bool {
    arrived(stream) > (before.first { $0.uid == stream.uid }.map(arrived) ?? 0)
  }

  private static func arrived(_ stream: RemoteMediaStatistics) -> Int {
    stream.videoPacketsReceived - stream.videoPacketsRecovered + stream.receivedAudioPackets
  }

  private static func missed(_ stream: RemoteMediaStatistics) -> Int {
    stream.videoPacketsLost + stream.videoPacketsRecovered + stream.audioPacketsLost
  }
}
