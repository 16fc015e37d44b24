import TestSupport
import Testing

@testable import MediaEngine

/// What reports say of two snapshots, without any thread.
@Suite(.ownThread) struct ReporterTests {
  /// Two seconds of one user's sound and pictures.
  private static func totals(_ periods: Int, lossPercent: Int = 0) -> RTCStatistics {
    var totals = RTCStatistics()
    totals.duration = Double(2 * periods)
    var stream = RemoteMediaStatistics(uid: 9)
    stream.receivedVideoFrames = 30 * periods
    stream.receivedVideoBytes = 50_000 * periods
    stream.receivedAudioPackets = (100 - lossPercent) * periods
    stream.audioPacketsLost = lossPercent * periods
    stream.playedAudioFrames = 2 * (100 - lossPercent) * periods
    stream.concealedAudioFrames = 2 * lossPercent * periods
    totals.remote = [stream]
    return totals
  }

  private func report(_ totals: RTCStatistics, after first: RTCStatistics? = nil) -> StatisticsReporter.Reports {
    var reporter = StatisticsReporter()
    if let first { _ = reporter.report(first, encoder: VideoEncoderConfiguration(), uid: 3) }
    return reporter.report(totals, encoder: VideoEncoderConfiguration(), uid: 3)
  }

  @Test func `delays are those from capture to eye and ear, and how far they are apart needs no right clock`() throws {
    var totals = Self.totals(1)
    let unknown = report(totals)
    #expect(unknown.remoteVideo.first.map { $0.e2eDelay == 0 && $0.avSyncTimeMs == 0 } == true)
    #expect(unknown.remoteAudio.first.map { $0.e2eDelay == 0 && $0.networkTransportDelay == 0 } == true)
    totals.remote[0].endToEndMilliseconds = 120
    totals.remote[0].videoHoldMilliseconds = 15
    totals.remote[0].audioEndToEndMilliseconds = 90
    totals.remote[0].audioNetworkMilliseconds = 70
    totals.remote[0].audioHoldMilliseconds = 60
    totals.remote[0].videoLagMilliseconds = 30
    totals.remote[0].videoPublishSeconds = 3.5
    totals.remote[0].audioPublishSeconds = 4.5
    let known = report(totals)
    let (video, audio) = (try #require(known.remoteVideo.first), try #require(known.remoteAudio.first))
    #expect(video.e2eDelay == 135 && video.publishDuration == 3_500)
    #expect(audio.e2eDelay == 150 && audio.networkTransportDelay == 70 && audio.publishDuration == 4_500)
    #expect(video.avSyncTimeMs == 135 - 150)
    // Clocks that are wrong leave the difference.
    totals.remote[0].endToEndMilliseconds = nil
    totals.remote[0].audioEndToEndMilliseconds = nil
    #expect(report(totals).remoteVideo.first?.avSyncTimeMs == -15)
    #expect(report(totals).remoteVideo.first?.e2eDelay == 0)
  }

  @Test func `what a listener makes of it is bad for its reason: this side's network, the other's, or neither`() throws
  {
    #expect(report(Self.totals(1)).remoteAudio.first.map { $0.qoeQuality == .good } == true)
    func reason(_ change: (inout RTCStatistics) -> Void) throws -> ExperiencePoorReason {
      let first = Self.totals(1)
      var totals = Self.totals(2, lossPercent: 5)
      totals.remote[0].receivedAudioPackets = first.remote[0].receivedAudioPackets + 90
      totals.remote[0].audioPacketsLost = 10
      totals.downlinkExpectedPackets = 1_000
      change(&totals)
      let report = try #require(report(totals, after: first).remoteAudio.first)
      #expect(report.qoeQuality == .bad)
      return report.qualityChangedReason
    }
    #expect(try reason { $0.downlinkLostPackets = 100 } == .localNetworkQualityPoor)
    #expect(try reason { _ in } == .remoteNetworkQualityPoor)
    #expect(
      try reason { $0.downlinkQueueMilliseconds = 200 } == [.localNetworkQualityPoor, .remoteNetworkQualityPoor])
    #expect(try reason { $0.remote[0].audioPacketsLost = 0 } == [])
    #expect(
      try reason {
        $0.remote[0].audioPacketsLost = 0
        $0.remote[0].audioNetworkMilliseconds = 400
      } == .remoteNetworkQualityPoor)
    // Nothing is missing, and all of it is late.
    var late = Self.totals(1)
    late.remote[0].audioEndToEndMilliseconds = 500
    late.remote[0].audioHoldMilliseconds = 60
    #expect(report(late).remoteAudio.first.map { $0.qoeQuality == .bad && $0.mosValue < 360 } == true)
  }

  @Test func `what the encoder makes is told with its size, its aim, and how that has changed`() throws {
    func totals(_ periods: Int, bitrate: Int, frameRate: Int = 15, width: Int = 640) -> RTCStatistics {
      var totals = RTCStatistics()
      totals.duration = Double(2 * periods)
      totals.sentVideoFrames = 30 * periods
      totals.local.shownFrames = 20 * periods
      totals.local.captureBrightness = .dark
      totals.local.sendsLowVideo = true
      totals.local.encoding = EncodingTotals(
        frames: 30 * periods, bytes: 100_000 * periods, width: width, height: 360, targetBitrate: bitrate,
        targetFrameRate: frameRate)
      return totals
    }
    let first = totals(1, bitrate: 500)
    let same = try #require(report(totals(2, bitrate: 505), after: first).localVideo)
    #expect(same.encodedFrameWidth == 640 && same.encodedFrameHeight == 360 && same.encodedFrameCount == 60)
    #expect(same.encodedBitrate == 400 && same.encoderOutputFrameRate == 15 && same.rendererOutputFrameRate == 10)
    #expect(same.targetBitrate == 505 && same.targetFrameRate == 15 && same.dualStreamEnabled)
    #expect(same.captureBrightnessLevel == .dark && same.codecType == 1)
    #expect(same.qualityAdaptIndication == .none)
    func change(_ second: RTCStatistics) -> QualityAdaptIndication? {
      report(second, after: first).localVideo?.qualityAdaptIndication
    }
    #expect(change(totals(2, bitrate: 300)) == .downBandwidth)
    #expect(change(totals(2, bitrate: 800)) == .upBandwidth)
    #expect(change(totals(2, bitrate: 500, frameRate: 10)) == .downBandwidth)
    #expect(change(totals(2, bitrate: 500, width: 800)) == .upBandwidth)
    #expect(change(totals(2, bitrate: 800, width: 480)) == .downBandwidth)
    // At once below what is configured.
    #expect(report(totals(1, bitrate: 100)).localVideo?.qualityAdaptIndication == .downBandwidth)
  }

  @Test func `totals of another encoder or source, or of the time before joining, are in no rate`() throws {
    func totals(_ periods: Int, captured: Int, made: Int, width: Int, track: Int = 0) -> RTCStatistics {
      var totals = RTCStatistics()
      totals.duration = Double(2 * periods)
      (totals.sentVideoFrames, totals.sentVideoBytes) = (30 * periods, 50_000 * periods)
      totals.local.capturedFrames = captured
      totals.local.encoding = EncodingTotals(
        frames: made, bytes: 1_000 * made, width: width, height: 360, targetBitrate: 500, targetFrameRate: 15)
      totals.local.encodingName = .init(
        configuration: VideoEncoderConfiguration(width: width, height: 360, bitrate: 500), track: track)
      return totals
    }
    func rates(_ now: RTCStatistics) throws -> [Int] {
      let report = try #require(
        reporter.report(now, encoder: VideoEncoderConfiguration(bitrate: 500), uid: 1).localVideo)
      #expect(report.qualityAdaptIndication == .none)
      return [report.captureFrameRate, report.encoderOutputFrameRate, report.encodedBitrate]
    }
    var reporter = StatisticsReporter(local: totals(0, captured: 9_000, made: 8_000, width: 640).local)
    #expect(try rates(totals(1, captured: 9_060, made: 8_040, width: 640)) == [30, 20, 160])
    // Another connection's encoder, and then a track's, which have been busy for long.
    #expect(try rates(totals(2, captured: 9_120, made: 70_000, width: 320)) == [30, 15, 200])
    #expect(try rates(totals(3, captured: 9_180, made: 70_040, width: 320)) == [30, 20, 160])
    #expect(try rates(totals(4, captured: 600_000, made: 500_000, width: 320, track: 1)) == [15, 15, 200])
    #expect(try rates(totals(5, captured: 600_060, made: 500_040, width: 320, track: 1)) == [30, 20, 160])
  }

  @Test func `what the ways to and from the server carry is told once it is known, with what comes of each user`()
    throws
  {
    var first = Self.totals(1)
    #expect(report(first).uplink == nil && report(first).downlink == nil)
    first.uplinkKilobitsPerSecond = 900
    #expect(report(first).uplink?.bandwidthEstimationBps == 900_000)
    #expect(report(first).uplink?.videoEncoderTargetBitrateBps == 0)
    var second = Self.totals(2)
    second.uplinkKilobitsPerSecond = 900
    second.sentVideoFrames = 30
    second.local.encoding.targetBitrate = 450
    second.downlinkKilobitsPerSecond = 1_200
    second.downlinkQueueMilliseconds = 25.4
    second.remote[0].streamType = .low
    second.remote[0].downscaleLevelCount = 1
    var paused = RemoteMediaStatistics(uid: 10)
    paused.isVideoPaused = true
    second.remote += [paused, RemoteMediaStatistics(uid: 11)]
    let reports = report(second, after: first)
    #expect(reports.uplink?.videoEncoderTargetBitrateBps == 450_000)
    let downlink = try #require(reports.downlink)
    #expect(downlink.bandwidthEstimationBps == 1_200_000 && downlink.lastmileBufferDelayTimeMs == 25)
    #expect(downlink.totalReceivedVideoCount == 1 && downlink.totalDownscaleLevelCount == 1)
    #expect(downlink.peerDownlinkInfo.map(\.uid) == [9, 10])
    #expect(downlink.peerDownlinkInfo.map(\.isAudioOnly) == [false, true])
    #expect(
      downlink.peerDownlinkInfo[0].streamType == .low && downlink.peerDownlinkInfo[0].receivedBitrateBps == 200_000)
    #expect(reports.connection.uplinkKBitRate == 900 && reports.connection.videoTargetKBitRate == 450)
    #expect(reports.connection.downlinkKBitRate == 1_200 && reports.connection.downlinkQueueDelay == 25)
  }

  @Test func `an encoding of three is low, in the middle or high`() {
    #expect((0..<3).map { VideoStreamType(layer: $0, of: 3) } == [.low, .layer1, .high])
    #expect((0..<2).map { VideoStreamType(layer: $0, of: 2) } == [.low, .high])
    #expect(VideoStreamType(layer: 0, of: 1) == .high && VideoStreamType(layer: 9, of: 0) == .high)
  }

  @Test func `brightness is looked at twice a second, and unknown while nothing is captured`() {
    var meter = BrightnessMeter()
    func frame(_ luma: UInt8, width: Int = 320, height: Int = 180) -> VideoFrame {
      let frame = VideoFrame(width: width, height: height)
      for index in 0..<frame.strideY * height { frame.planeY[index] = luma }
      return frame
    }
    #expect(meter.level == .invalid)
    var now = MediaInstant.zero
    for (luma, level) in [(UInt8(16), CaptureBrightnessLevel.dark), (120, .normal), (235, .bright)] {
      meter.look(at: frame(luma), now: now)
      #expect(meter.level == level)
      meter.look(at: frame(luma == 120 ? 16 : 120), now: now + .milliseconds(499))
      #expect(meter.level == level)
      now = now + .milliseconds(500)
    }
    meter.look(at: frame(16, width: 1, height: 1), now: now)
    #expect(meter.level == .dark)
    meter.reset()
    #expect(meter.level == .invalid)
  }
}
