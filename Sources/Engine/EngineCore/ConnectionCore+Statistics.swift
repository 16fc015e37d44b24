import ControlWire
import MediaBase
import RTPSession
import RTPWire

extension ConnectionCore {
  /// The totals so far.
  public func currentStatistics(now: MediaInstant) -> ConnectionStatistics {
    var totals = statistics
    if let joinTime { totals.duration = now - joinTime }
    totals.userCount = users.count
    totals.remoteStreams = users.values.sorted { $0.uid < $1.uid }.map { user in
      var stream = user.statistics
      stream.freezeCount = user.video.freezeCount
      stream.frozenTime = user.video.frozenTime
      stream.videoPublishDuration = user.videoClock.duration(now: now)
      stream.audioPublishDuration = user.audioClock.duration(now: now)
      return stream
    }
    totals.videoBitrate = videoBitrate
    switch path {
    case .some(let path): path.add(to: &totals, users: users)
    case .none: break
    }
    return totals
  }
}

extension ConnectionCore {
  /// The session forgets what it has counted of a stream with it: that is kept, so that totals never fall.
  mutating func keepPacketCounts(of uid: UInt, audio: Bool = false, video: Bool = false) {
    guard var user = users[uid] else { return }
    if video, let counts = path?.session.receiveStatistics(ssrc: user.ssrcs.video) {
      user.statistics.videoPacketsLost += counts.packetsLost
      user.statistics.videoPacketsReceived += counts.packetsReceived
      user.statistics.videoPacketsRecovered += counts.packetsRecovered
    }
    if audio, let counts = path?.session.receiveStatistics(ssrc: user.ssrcs.audio) {
      user.statistics.audioPacketsLost += counts.packetsLost
    }
    users[uid] = user
  }

  /// The path is about to be another one, which counts anew.
  mutating func keepPathCounts() {
    guard let counts = path?.session.receivedPath else { return }
    statistics.receivePathExpected += counts.expected
    statistics.receivePathLost += counts.lost
  }

  mutating func reportStatisticsIfDue(now: MediaInstant) {
    guard let due = statisticsTime, now >= due else { return }
    // A process that has slept reports once, not for every interval that it has missed.
    let next = due + configuration.timing.statisticsInterval
    statisticsTime = next > now ? next : now + configuration.timing.statisticsInterval
    events.append(.statisticsDue)
  }
}

extension MediaPath {
  /// Adds what the session knows.
  func add(to totals: inout ConnectionStatistics, users: [UInt: RemoteUser]) {
    totals.roundTripTime = session.roundTripTime
    totals.sendBitrate = session.sendBitrate
    totals.sendLossRate = session.sendLossRate
    totals.sendQueueDelay = session.sendQueueDelay
    totals.receiveBitrate = session.downlinkReport?.bitrate
    totals.receiveQueueDelay = session.downlinkReport?.queueDelay
    totals.receivePathExpected += session.receivedPath.expected
    totals.receivePathLost += session.receivedPath.lost
    let video = session.sendStatistics(ssrc: videoSSRC)?.remoteFractionLost
    totals.sentFractionLost = video ?? session.sendStatistics(ssrc: audioSSRC)?.remoteFractionLost
    for index in totals.remoteStreams.indices {
      guard let ssrcs = users[totals.remoteStreams[index].uid]?.ssrcs else { continue }
      let video = session.receiveStatistics(ssrc: ssrcs.video)
      totals.remoteStreams[index].videoPacketsLost += video?.packetsLost ?? 0
      totals.remoteStreams[index].videoPacketsReceived += video?.packetsReceived ?? 0
      totals.remoteStreams[index].videoPacketsRecovered += video?.packetsRecovered ?? 0
      totals.remoteStreams[index].endToEndDelay = video?.endToEndDelay
      let audio = session.receiveStatistics(ssrc: ssrcs.audio)
      totals.remoteStreams[index].audioPacketsLost += audio?.packetsLost ?? 0
      totals.remoteStreams[index].audioEndToEndDelay = audio?.endToEndDelay
      totals.remoteStreams[index].audioNetworkDelay = audio?.networkDelay
      if let video = video?.transit, let audio = audio?.transit { totals.remoteStreams[index].videoLag = video - audio }
      guard let told = session.downlinkReport?.videos.first(where: { $0.ssrc == ssrcs.video }) else { continue }
      totals.remoteStreams[index].videoLayer = (Int(told.layer), Int(told.layerCount))
      totals.remoteStreams[index].isVideoPaused = told.isPaused
    }
  }
}
