import EngineCore

/// What the ways to and from the server carry.
extension StatisticsReporter {
  /// - Returns: `nil` while no pictures are sent and nothing is known.
  func uplinkInfo(_ now: RTCStatistics) -> UplinkNetworkInfo? {
    let sendsVideo = now.sentVideoFrames > last.sentVideoFrames
    guard sendsVideo || now.uplinkKilobitsPerSecond != nil else { return nil }
    var info = UplinkNetworkInfo()
    if sendsVideo { info.videoEncoderTargetBitrateBps = now.local.encoding.targetBitrate * 1_000 }
    info.bandwidthEstimationBps = (now.uplinkKilobitsPerSecond ?? 0) * 1_000
    return info
  }

  /// - Returns: `nil` while the server has said nothing.
  func downlinkInfo(_ now: RTCStatistics, _ seconds: Double) -> DownlinkNetworkInfo? {
    guard let carried = now.downlinkKilobitsPerSecond else { return nil }
    var info = DownlinkNetworkInfo()
    info.bandwidthEstimationBps = carried * 1_000
    info.lastmileBufferDelayTimeMs = Int((now.downlinkQueueMilliseconds ?? 0).rounded())
    for stream in now.remote {
      let before = before(stream)
      let comes = stream.receivedVideoFrames > before.receivedVideoFrames
      guard comes || stream.isVideoPaused else { continue }
      var peer = PeerDownlinkInfo(uid: stream.uid)
      peer.streamType = stream.streamType
      peer.currentDownscaleLevel = stream.downscaleLevelCount
      peer.isAudioOnly = stream.isVideoPaused
      peer.receivedBitrateBps = kilobits(stream.receivedVideoBytes - before.receivedVideoBytes, seconds) * 1_000
      info.peerDownlinkInfo.append(peer)
      info.totalDownscaleLevelCount += peer.currentDownscaleLevel
      info.totalReceivedVideoCount += comes && !stream.isVideoPaused ? 1 : 0
    }
    return info
  }
}
