import EngineCore
import MediaBase

extension RTCStatistics {
  init(_ core: ConnectionStatistics) {
    self.init()
    duration = core.duration.seconds
    sentPackets = core.sentPackets
    sentBytes = core.sentBytes
    receivedPackets = core.receivedPackets
    receivedBytes = core.receivedBytes
    roundTripMilliseconds = core.roundTripTime.map { $0.seconds * 1_000 }
    joinMilliseconds = core.timeToJoin.map { $0.seconds * 1_000 }
    mediaMilliseconds = core.timeToMedia.map { $0.seconds * 1_000 }
    userCount = core.userCount
    uplinkKilobitsPerSecond = core.sendBitrate.map { $0 / 1_000 }
    videoKilobitsPerSecond = core.videoBitrate.map { $0 / 1_000 }
    uplinkLossRate = core.sendLossRate
    uplinkQueueMilliseconds = core.sendQueueDelay.map { $0.seconds * 1_000 }
    downlinkKilobitsPerSecond = core.receiveBitrate.map { $0 / 1_000 }
    downlinkQueueMilliseconds = core.receiveQueueDelay.map { $0.seconds * 1_000 }
    downlinkExpectedPackets = core.receivePathExpected
    downlinkLostPackets = core.receivePathLost
    sentVideoFrames = core.sentVideoFrames
    sentAudioFrames = core.sentAudioFrames
    sentVideoBytes = core.sentVideoBytes
    sentAudioBytes = core.sentAudioBytes
    sentPacketLossPercent = Int(((core.sentFractionLost ?? 0) * 100).rounded())
    keyFrameRequests = core.keyFrameRequests
    remote = core.remoteStreams.map { RemoteMediaStatistics($0) }
  }
}

extension RemoteMediaStatistics {
  init(_ core: RemoteStreamStatistics) {
    self.init(uid: core.uid)
    receivedVideoFrames = core.videoFrames
    receivedKeyFrames = core.videoKeyFrames
    receivedVideoBytes = core.videoBytes
    videoPacketsLost = core.videoPacketsLost
    videoPacketsReceived = core.videoPacketsReceived
    videoPacketsRecovered = core.videoPacketsRecovered
    endToEndMilliseconds = core.endToEndDelay.map { $0.seconds * 1_000 }
    receivedAudioPackets = core.audioPackets
    receivedAudioBytes = core.audioBytes
    audioPacketsLost = core.audioPacketsLost
    audioNetworkMilliseconds = core.audioNetworkDelay.map { $0.seconds * 1_000 }
    audioEndToEndMilliseconds = core.audioEndToEndDelay.map { $0.seconds * 1_000 }
    videoLagMilliseconds = core.videoLag.map { $0.seconds * 1_000 }
    videoPublishSeconds = core.videoPublishDuration.seconds
    audioPublishSeconds = core.audioPublishDuration.seconds
    isVideoPaused = core.isVideoPaused
    if let (layer, count) = core.videoLayer {
      streamType = VideoStreamType(layer: layer, of: count)
      downscaleLevelCount = max(0, count - 1 - layer)
    }
    freezeCount = core.freezeCount
    frozenSeconds = core.frozenTime.seconds
  }

  /// Adds what the pipelines know.
  ///
  /// - Parameter playoutDelay: from the mixer to the ear.
  mutating func add(
    video: (decoded: VideoReceiveTotals, dropped: Int)?, audio: AudioReceiveTotals?, playoutDelay: MediaDuration
  ) {
    if let video {
      decodedVideoFrames = video.decoded.decodedFrames
      decodeSeconds = video.decoded.decodeSeconds
      width = video.decoded.width
      height = video.decoded.height
      droppedVideoFrames = video.dropped
      videoHoldMilliseconds = video.decoded.hold.map { $0.seconds * 1_000 }
    }
    if let audio {
      playedAudioFrames = audio.playedFrames
      concealedAudioFrames = audio.concealedFrames
      audioDelayMilliseconds = audio.delayMilliseconds
      audioHoldMilliseconds = audio.hold.map { ($0 + playoutDelay).seconds * 1_000 }
    }
  }
}
