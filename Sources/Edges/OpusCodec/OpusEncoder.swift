import CCodecShims
import COpus

/// Compresses sound to Opus packets (RFC 6716) at 48 kHz. Used by one thread at a time.
public final class OpusEncoder {
  /// 1 or 2.
  public let channelCount: Int
  /// Samples for each channel by which the decoded sound is later than the input (RFC 7845 section 5.1: pre-skip).
  public let lookaheadSampleCount: Int

  private let raw: OpaquePointer
  private var packet = [UInt8](repeating: 0, count: OpusEncoder.largestPacket)

  /// Frame lengths that Opus has, in samples for each channel (RFC 6716 section 2.1.4).
  private static let sampleCounts: Set<Int> = [120, 240, 480, 960, 1_920, 2_880]
  /// No packet is larger, so that each fits into one datagram with its RTP header and authentication tag.
  public static let largestPacket = 1_100

  /// Sets up an encoder: variable bit rate, forward error correction in band, no discontinuous transmission.
  ///
  /// - Parameters:
  ///   - channelCount: 1 or 2.
  ///   - bitrateBitsPerSecond: 6,000...440,000.
  ///   - application: what the sound mostly is.
  ///   - complexity: 0 (least work) ... 10.
  ///   - expectedLossPercent: how many packets of a hundred to prepare for; 0 turns error correction off.
  public init(
    channelCount: Int, bitrateBitsPerSecond: Int, application: OpusApplication = .voice, complexity: Int = 7,
    expectedLossPercent: Int = 5
  ) throws(OpusCodecError) {
    try OpusLibrary.checkChannelCount(channelCount)
    var code: Int32 = OPUS_OK
    let mode =
      switch application {
      case .voice: OPUS_APPLICATION_VOIP
      case .audio: OPUS_APPLICATION_AUDIO
      case .lowDelay: OPUS_APPLICATION_RESTRICTED_LOWDELAY
      }
    guard let raw = opus_encoder_create(48_000, Int32(channelCount), mode, &code), code == OPUS_OK else {
      throw OpusLibrary.error("making an encoder", code)
    }
    var lookahead: Int32 = 0
    greenroom_opus_encoder_get_lookahead(raw, &lookahead)
    self.raw = raw
    self.channelCount = channelCount
    lookaheadSampleCount = Int(lookahead)
    try setBitrate(bitsPerSecond: bitrateBitsPerSecond)
    try setComplexity(complexity)
    try setExpectedLoss(percent: expectedLossPercent)
  }

  deinit { opus_encoder_destroy(raw) }

  /// Changes the bit rate from the next packet on; 6,000...440,000 bits per second.
  public func setBitrate(bitsPerSecond: Int) throws(OpusCodecError) {
    guard (6_000...440_000).contains(bitsPerSecond) else {
      throw .invalidSetting(detail: "the bit rate is 6000 to 440000 bits per second, not \(bitsPerSecond)")
    }
    try OpusLibrary.check("setting the bit rate", greenroom_opus_encoder_set_bitrate(raw, Int32(bitsPerSecond)))
  }

  /// Changes the work done for each packet; 0 (least) ... 10.
  public func setComplexity(_ complexity: Int) throws(OpusCodecError) {
    guard (0...10).contains(complexity) else {
      throw .invalidSetting(detail: "the complexity is 0 to 10, not \(complexity)")
    }
    try OpusLibrary.check("setting the complexity", greenroom_opus_encoder_set_complexity(raw, Int32(complexity)))
  }

  /// Changes how many packets of a hundred may get lost; the more, the more each packet repeats of the one before
  /// (RFC 6716 section 2.1.7). 0 turns that off.
  public func setExpectedLoss(percent: Int) throws(OpusCodecError) {
    guard (0...100).contains(percent) else {
      throw .invalidSetting(detail: "the expected loss is 0 to 100 percent, not \(percent)")
    }
    try OpusLibrary.check(
      "setting the error correction", greenroom_opus_encoder_set_inband_fec(raw, percent > 0 ? 1 : 0))
    try OpusLibrary.check("setting the loss", greenroom_opus_encoder_set_packet_loss_percent(raw, Int32(percent)))
  }

  /// Turns discontinuous transmission on or off: with it, packets of silence have at most 2 bytes and need not be sent
  /// (RFC 6716 section 2.1.9).
  public func setDiscontinuousTransmission(_ isOn: Bool) throws(OpusCodecError) {
    try OpusLibrary.check("setting discontinuous transmission", greenroom_opus_encoder_set_dtx(raw, isOn ? 1 : 0))
  }

  /// Changes the highest frequencies that are kept, from the next packet on.
  public func setMaximumBandwidth(_ bandwidth: OpusBandwidth) throws(OpusCodecError) {
    let value =
      switch bandwidth {
      case .wide: OPUS_BANDWIDTH_WIDEBAND
      case .superwide: OPUS_BANDWIDTH_SUPERWIDEBAND
      case .full: OPUS_BANDWIDTH_FULLBAND
      }
    try OpusLibrary.check("setting the bandwidth", greenroom_opus_encoder_set_max_bandwidth(raw, value))
  }

  /// Compresses one piece of sound: 2.5, 5, 10, 20, 40 or 60 ms, channels interleaved. Returns one packet.
  public func encode(_ samples: [Int16]) throws(OpusCodecError) -> [UInt8] {
    let sampleCount = samples.count / channelCount
    guard samples.count % channelCount == 0, Self.sampleCounts.contains(sampleCount) else {
      throw .wrongSampleCount(sampleCount)
    }
    let length = opus_encode(raw, samples, Int32(sampleCount), &packet, Int32(packet.count))
    guard length > 0 else { throw OpusLibrary.error("encoding", length) }
    return Array(packet[..<Int(length)])
  }
}
