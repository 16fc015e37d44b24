/// Why a picture could not be encoded or decoded. `description` is a sentence for people: what failed, why, and what to do.
public enum VPXCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The encoder cannot work with these settings.
  case invalidConfiguration(detail: String)
  /// A picture has another size than the encoder was made for.
  case wrongPictureSize(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int)
  /// The data is not a VP8 picture, or it was damaged on the way. The decoder waits for a key frame from here on.
  case damagedData(detail: String)
  /// The picture builds on others that this decoder has not seen.
  case keyFrameMissing
  /// The stream says it is larger than the decoder's limit.
  case pictureTooLarge(width: Int, height: Int)
  /// The library refused for another reason.
  case library(operation: String, code: Int32, detail: String)

  /// The value as a sentence or text for people.
  public var description: String {
    switch self {
    case .invalidConfiguration(let detail):
      return "The VP8 encoder cannot be set up: \(detail)."
    case .wrongPictureSize(let width, let height, let expectedWidth, let expectedHeight):
      return "A picture of \(width)x\(height) came to a VP8 encoder for \(expectedWidth)x\(expectedHeight). "
        + "Scale it first or reconfigure the encoder."
    case .damagedData(let detail):
      return "A VP8 picture is damaged (\(detail)). Ask the sender for a key frame."
    case .keyFrameMissing:
      return "A VP8 picture cannot be decoded without the key frame before it. Ask the sender for a key frame."
    case .pictureTooLarge(let width, let height):
      return "A VP8 stream of \(width)x\(height) is larger than this decoder's limit. "
        + "Lower the sender's resolution or raise the limit."
    case .library(let operation, let code, let detail):
      return "libvpx: \(operation) failed with error \(code) (\(detail))."
    }
  }
}
