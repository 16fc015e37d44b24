import MediaBase
import OpusCodec

/// Joins 10 ms frames to 20 ms Opus packets on a clock without gaps. Used by one thread only.
final class OpusPacker {
  /// How to encode, from the next packet on.
  var settings: OpusSettings { didSet { if settings != oldValue { encoder = nil } } }
  private var encoder: OpusEncoder?
  private var channelCount = 0
  private var pending: [Int16] = []
  private var timestamp: UInt32 = 0
  private var expectedTime: MediaInstant?
  private var startsTalkSpurt = true

  /// 20 ms at 48 kHz.
  private static let packetFrameCount = 960
  /// A capture time this far from what the samples so far say means that sound is missing: the timestamp jumps with it.
  private static let gap = MediaDuration.milliseconds(60)

  init(settings: OpusSettings) { self.settings = settings }

  /// Takes the next frame; a packet and its loudness in -dBov once there is enough.
  func add(_ frame: AudioFrame) throws(OpusCodecError) -> (EncodedAudioFrame, UInt8)? {
    let frame = settings.channelCount.map(frame.converted(toChannelCount:)) ?? frame
    if encoder == nil || frame.channelCount != channelCount {
      encoder = try makeEncoder(channelCount: frame.channelCount)
      if frame.channelCount != channelCount { expectedTime = nil }
      channelCount = frame.channelCount
      pending.removeAll(keepingCapacity: true)
    }
    follow(frame)
    pending.append(contentsOf: frame.samples)
    let needed = Self.packetFrameCount * channelCount
    guard pending.count >= needed else { return nil }
    let samples = Array(pending[..<needed])
    pending.removeFirst(needed)
    guard let data = try encoder?.encode(samples) else { return nil }
    let packet = EncodedAudioFrame(
      data: data, timestamp: timestamp, sampleCount: Self.packetFrameCount, startsTalkSpurt: startsTalkSpurt)
    startsTalkSpurt = false
    timestamp &+= UInt32(Self.packetFrameCount)
    let level = samples.withUnsafeBufferPointer { AudioLevel.rootMeanSquare($0) }
    return (packet, AudioLevel.decibelsBelowOverload(rootMeanSquare: level))
  }

  private func makeEncoder(channelCount: Int) throws(OpusCodecError) -> OpusEncoder {
    let encoder = try OpusEncoder(
      channelCount: channelCount, bitrateBitsPerSecond: settings.bitrate, application: settings.application,
      complexity: settings.complexity, expectedLossPercent: settings.expectedLossPercent)
    try encoder.setMaximumBandwidth(settings.bandwidth)
    return encoder
  }

  /// Moves the timestamp over a gap before this frame, or to the first frame.
  private func follow(_ frame: AudioFrame) {
    let duration = MediaDuration.samples(frame.frameCount)
    defer { expectedTime = (expectedTime ?? frame.captureTime) + duration }
    if let expectedTime {
      let error = frame.captureTime - expectedTime
      guard error > Self.gap || error < .zero - Self.gap else { return }
    }
    // 48 samples for each millisecond of the capture clock, so that audio and video timestamps share their origin.
    timestamp = UInt32(truncatingIfNeeded: frame.captureTime.nanoseconds / 1_000 * 48 / 1_000)
    pending.removeAll(keepingCapacity: true)
    expectedTime = frame.captureTime
    startsTalkSpurt = true
  }
}
