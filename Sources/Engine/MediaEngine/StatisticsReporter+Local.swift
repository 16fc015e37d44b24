import EngineCore

/// What is sent.
extension StatisticsReporter {
  /// A change of the encoder's aim by less than this share is none.
  private static let worthwhileChange = 0.1

  func localAudioReport(_ now: RTCStatistics, _ seconds: Double) -> LocalAudioReport {
    var report = LocalAudioReport()
    report.numChannels = now.local.audioChannelCount
    report.sentBitrate = kilobits(now.sentAudioBytes - last.sentAudioBytes, seconds)
    report.txPacketLossRate = now.sentPacketLossPercent
    report.audioDeviceDelay = Int((now.local.audioDeviceMilliseconds ?? 0).rounded())
    report.audioPlayoutDelay = Int(now.local.audioPlayoutMilliseconds.rounded())
    return report
  }

  func localVideoReport(
    _ now: RTCStatistics, _ seconds: Double, _ encoder: VideoEncoderConfiguration, _ uid: UInt
  ) -> LocalVideoReport {
    var report = LocalVideoReport()
    // Another encoder's totals, or another source's, are no place to count from: for once what is sent tells the rates.
    let isSameEncoder = now.local.encodingName == last.local.encodingName
    let isSameSource = now.local.encodingName?.track == last.local.encodingName?.track
    let encoding = now.local.encoding
    let before = isSameEncoder ? last.local.encoding : EncodingTotals()
    report.uid = uid
    report.sentBitrate = kilobits(now.sentVideoBytes - last.sentVideoBytes, seconds)
    report.sentFrameRate = rate(now.sentVideoFrames - last.sentVideoFrames, seconds)
    report.captureFrameRate =
      isSameSource ? rate(now.local.capturedFrames - last.local.capturedFrames, seconds) : report.sentFrameRate
    report.captureFrameWidth = now.local.captureWidth
    report.captureFrameHeight = now.local.captureHeight
    report.captureBrightnessLevel = now.local.captureBrightness
    report.encoderOutputFrameRate =
      isSameEncoder ? rate(encoding.frames - before.frames, seconds) : report.sentFrameRate
    report.rendererOutputFrameRate = rate(now.local.shownFrames - last.local.shownFrames, seconds)
    report.targetBitrate = encoding.frames > 0 ? encoding.targetBitrate : encoder.effectiveBitrate
    report.targetFrameRate = encoding.frames > 0 ? encoding.targetFrameRate : encoder.frameRate
    report.qualityAdaptIndication = Self.adaptation(from: before, to: encoding, of: encoder)
    report.encodedBitrate = isSameEncoder ? kilobits(encoding.bytes - before.bytes, seconds) : report.sentBitrate
    report.encodedFrameWidth = encoding.width
    report.encodedFrameHeight = encoding.height
    report.encodedFrameCount = encoding.frames
    report.dualStreamEnabled = now.local.sendsLowVideo
    report.txPacketLossRate = now.sentPacketLossPercent
    return report
  }

  /// What the encoder makes in all counts, the size of pictures with the rest. Without an encoding before, the configuration
  /// is what is compared with.
  private static func adaptation(
    from before: EncodingTotals, to now: EncodingTotals, of encoder: VideoEncoderConfiguration
  ) -> QualityAdaptIndication {
    guard now.frames > 0 else { return .none }
    let hasBefore = before.frames > 0
    let changes = [
      (hasBefore ? before.targetBitrate : encoder.effectiveBitrate, now.targetBitrate),
      (hasBefore ? before.targetFrameRate : encoder.frameRate, now.targetFrameRate),
      (hasBefore ? before.width * before.height : 0, hasBefore ? now.width * now.height : 0),
    ].map { old, new in old > 0 ? Double(new - old) / Double(old) : 0 }
    if changes.contains(where: { $0 <= -worthwhileChange }) { return .downBandwidth }
    return changes.contains { $0 >= worthwhileChange } ? .upBandwidth : .none
  }
}
