/// Why sound could not be encoded or decoded. `description` is a sentence for people: what failed, why, and what to do.
public enum OpusCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The encoder or decoder cannot work with this setting.
  case invalidSetting(detail: String)
  /// A piece of sound has a length that Opus has no frame for.
  case wrongSampleCount(Int)
  /// The data is not an Opus packet, or it was damaged on the way.
  case damagedPacket(byteCount: Int)
  /// The library refused for another reason.
  case library(operation: String, code: Int32, detail: String)

  /// The value as a sentence or text for people.
  public var description: String {
    switch self {
    case .invalidSetting(let detail):
      return "Opus cannot be set up: \(detail)."
    case .wrongSampleCount(let count):
      return "Opus cannot work on \(count) samples at once. "
        + "Use 2.5, 5, 10, 20, 40 or 60 ms (120, 240, 480, 960, 1920 or 2880 samples for each channel)."
    case .damagedPacket(let byteCount):
      return "An Opus packet of \(byteCount) bytes is damaged. Conceal it as if it were lost."
    case .library(let operation, let code, let detail):
      return "libopus: \(operation) failed with error \(code) (\(detail))."
    }
  }
}
