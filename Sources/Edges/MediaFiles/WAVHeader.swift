import MediaBase
import PictureFiles

/// What the beginning of a WAV file (RIFF) says about its sound: 16-bit linear PCM with one or two channels.
public struct WAVHeader: Hashable, Sendable {
  /// Samples per second of each channel, 8,000...192,000.
  public let sampleRate: Int
  /// 1 or 2.
  public let channelCount: Int
  /// Bytes before the first sample.
  let dataOffset: Int
  /// Bytes of sound as the header says; `nil` if it was written without knowing (a stream): up to the file's end.
  let dataByteCount: Int?

  /// The sound must begin within this many bytes.
  static let longestHeader = 1 << 20
  private static let pulseCodeModulation: UInt16 = 1
  private static let extensible: UInt16 = 0xFFFE

  /// Reads the chunks up to the first sample from the file's first bytes (as many as there are, or `longestHeader`). Any
  /// bytes are allowed.
  package init(parsing bytes: [UInt8]) throws(MediaFormatError) {
    guard bytes.count >= 12, Self.tag(bytes, 0) == "RIFF", Self.tag(bytes, 8) == "WAVE" else {
      throw MediaFormatError("it is not a WAV file (it does not begin with RIFF and WAVE)")
    }
    var offset = 12
    var format: (sampleRate: Int, channelCount: Int)?
    while offset + 8 <= bytes.count {
      let size = Int(Self.uint32(bytes, offset + 4))
      let body = offset + 8
      switch Self.tag(bytes, offset) {
      case "fmt ": format = try Self.format(bytes, body, size)
      case "data":
        guard let format else { throw MediaFormatError("its sound comes before the description of it") }
        sampleRate = format.sampleRate
        channelCount = format.channelCount
        dataOffset = body
        dataByteCount = size == 0 || size >= 0xFFFF_FF00 ? nil : size
        return
      default: break
      }
      // Chunks begin at even places.
      offset = body + size + size % 2
    }
    throw MediaFormatError("it has no sound in its first \(bytes.count) bytes; it may have been cut off")
  }

  private static func format(
    _ bytes: [UInt8], _ offset: Int, _ size: Int
  ) throws(MediaFormatError) -> (Int, Int) {
    guard size >= 16, offset + size <= bytes.count else {
      throw MediaFormatError("the description of its sound is damaged")
    }
    var kind = uint16(bytes, offset)
    // WAVE_FORMAT_EXTENSIBLE: the kind stands in the first two bytes of an identifier.
    if kind == extensible, size >= 26 { kind = uint16(bytes, offset + 24) }
    let (channelCount, sampleRate) = (Int(uint16(bytes, offset + 2)), Int(uint32(bytes, offset + 4)))
    let bits = uint16(bytes, offset + 14)
    guard kind == pulseCodeModulation, bits == 16 else {
      throw MediaFormatError("its sound is not 16-bit PCM (format \(kind), \(bits) bits); convert it to pcm_s16le")
    }
    guard channelCount == 1 || channelCount == 2 else {
      throw MediaFormatError("it has \(channelCount) channels; convert it to one or two")
    }
    guard (8_000...192_000).contains(sampleRate) else {
      throw MediaFormatError("its sample rate of \(sampleRate) Hz is outside 8000 to 192000")
    }
    return (sampleRate, channelCount)
  }

  private static func tag(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private static func uint16(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
    UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  private static func uint32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    UInt32(uint16(bytes, offset)) | UInt32(uint16(bytes, offset + 2)) << 16
  }
}
