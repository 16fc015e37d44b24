import CCodecShims
import COpus

/// Turns Opus packets (RFC 6716) back into sound at 48 kHz. Used by one thread at a time.
public final class OpusDecoder {
  /// Channels of what comes out, 1 or 2, whatever the packets carry.
  public let channelCount: Int

  private let raw: OpaquePointer
  /// Room for the longest packet, 120 ms.
  private var samples: [Int16]

  private static let longestPacket = 5_760
  /// Lengths are multiples of 2.5 ms.
  private static let smallestPiece = 120

  /// Sets up a decoder for 1 or 2 channels.
  public init(channelCount: Int) throws(OpusCodecError) {
    try OpusLibrary.checkChannelCount(channelCount)
    var code: Int32 = OPUS_OK
    guard let raw = opus_decoder_create(48_000, Int32(channelCount), &code), code == OPUS_OK else {
      throw OpusLibrary.error("making a decoder", code)
    }
    self.raw = raw
    self.channelCount = channelCount
    samples = [Int16](repeating: 0, count: Self.longestPacket * channelCount)
  }

  deinit { opus_decoder_destroy(raw) }

  /// Decodes one packet: up to 120 ms, channels interleaved.
  public func decode(_ packet: [UInt8]) throws(OpusCodecError) -> [Int16] {
    guard !packet.isEmpty else { throw .damagedPacket(byteCount: 0) }
    return try run(packet, sampleCount: Self.longestPacket, repairs: false)
  }

  /// Invents the sound of a lost packet from what came before.
  ///
  /// - Parameter sampleCount: its length in samples for each channel, a multiple of 120 (2.5 ms) up to 5,760.
  public func conceal(sampleCount: Int) throws(OpusCodecError) -> [Int16] {
    try checkLength(sampleCount)
    return try run(nil, sampleCount: sampleCount, repairs: false)
  }

  /// Brings back the sound of a lost packet from what the packet after it repeats of it (RFC 6716 section 2.1.7); where it
  /// repeats nothing, the sound is invented. Decode the packet itself afterwards.
  ///
  /// - Parameters:
  ///   - packet: the one that follows the lost one.
  ///   - sampleCount: length of the lost one in samples for each channel, a multiple of 120 up to 5,760.
  public func decodeFEC(_ packet: [UInt8], sampleCount: Int = 960) throws(OpusCodecError) -> [Int16] {
    try checkLength(sampleCount)
    guard !packet.isEmpty else { throw .damagedPacket(byteCount: 0) }
    return try run(packet, sampleCount: sampleCount, repairs: true)
  }

  /// Forgets everything it has heard.
  public func reset() { _ = greenroom_opus_decoder_reset(raw) }

  private func checkLength(_ sampleCount: Int) throws(OpusCodecError) {
    guard (Self.smallestPiece...Self.longestPacket).contains(sampleCount), sampleCount % Self.smallestPiece == 0 else {
      throw .wrongSampleCount(sampleCount)
    }
  }

  private func run(_ packet: [UInt8]?, sampleCount: Int, repairs: Bool) throws(OpusCodecError) -> [Int16] {
    let length = Int32(truncatingIfNeeded: packet?.count ?? 0)
    let count = opus_decode(raw, packet, length, &samples, Int32(sampleCount), repairs ? 1 : 0)
    guard count > 0 else {
      if count == OPUS_INVALID_PACKET || count == OPUS_BUFFER_TOO_SMALL {
        throw .damagedPacket(byteCount: packet?.count ?? 0)
      }
      throw OpusLibrary.error("decoding", count)
    }
    return Array(samples[..<(Int(count) * channelCount)])
  }
}
