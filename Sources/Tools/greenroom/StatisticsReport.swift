import MediaEngine

/// Totals of a connection as `--stats` writes them.
struct StatisticsReport: Encodable {
  struct Remote: Encodable {
    var uid: UInt
    var frames: Int
    var framesPerSecond: Double?
    var width: Int
    var height: Int
    var latencyP50Milliseconds: Double?
    var latencyP95Milliseconds: Double?
    var audibleSeconds: Double
    var freezes: Int
    /// Between two pictures.
    var longestPauseMilliseconds: Double
    var packetsLost: Int
  }

  var seconds: Double?
  var joinMilliseconds: Double?
  var mediaMilliseconds: Double?
  var roundTripMilliseconds: Double?
  var sentVideoFrames: Int?
  var sentAudioPackets: Int?
  var encodeMillisecondsPerFrame: Double?
  var remote: [Remote]

  init(_ statistics: RTCStatistics?, meter: ReceptionMeter?) {
    seconds = statistics?.duration
    joinMilliseconds = statistics?.joinMilliseconds
    mediaMilliseconds = statistics?.mediaMilliseconds
    roundTripMilliseconds = statistics?.roundTripMilliseconds
    sentVideoFrames = statistics?.sentVideoFrames
    sentAudioPackets = statistics?.sentAudioFrames
    if let local = statistics?.local, local.encodedFrames > 0 {
      encodeMillisecondsPerFrame = local.encodeSeconds * 1_000 / Double(local.encodedFrames)
    }
    let details = statistics?.remote ?? []
    remote = (meter?.receptions ?? [:]).sorted { $0.key.uid < $1.key.uid }.map { key, reception in
      let detail = details.first { $0.uid == key.uid }
      var rate: Double?
      if let first = reception.firstFrameTime, let last = reception.lastFrameTime, reception.frameCount > 1 {
        rate = Double(reception.frameCount - 1) / (last - first).seconds
      }
      return Remote(
        uid: key.uid, frames: reception.frameCount, framesPerSecond: rate, width: reception.width,
        height: reception.height, latencyP50Milliseconds: reception.latencies.percentile(0.5),
        latencyP95Milliseconds: reception.latencies.percentile(0.95),
        audibleSeconds: Double(reception.audibleFrameCount) / 100, freezes: detail?.freezeCount ?? 0,
        longestPauseMilliseconds: reception.longestPause.seconds * 1_000,
        packetsLost: (detail?.videoPacketsLost ?? 0) + (detail?.audioPacketsLost ?? 0))
    }
  }
}
