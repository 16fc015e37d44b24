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
    freezeCount = core.freezeCount
    frozenSeconds = core.frozenTime.seconds
  }

  /// Adds what the pipelines know.
  mutating func add(video: (decoded: VideoReceiveTotals, dropped: Int)?, audio: AudioReceiveTotals?) {
    if let video {
      decodedVideoFrames = video.decoded.decodedFrames
      decodeSeconds = video.decoded.decodeSeconds
      width = video.decoded.width
      height = video.decoded.height
      droppedVideoFrames = video.dropped
    }
    if let audio {
      playedAudioFrames = audio.playedFrames
      concealedAudioFrames = audio.concealedFrames
      audioDelayMilliseconds = audio.delayMilliseconds
    }
  }
}
