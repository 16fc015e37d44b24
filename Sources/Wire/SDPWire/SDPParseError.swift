/// Why a text is not a session description that may be used (RFC 8866).
public enum SDPParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// More than `SessionDescription.maximumByteCount` bytes, or more lines or media than a description may have.
  case tooLong
  /// A line that is not a letter, an equals sign and a value. Lines count from 1.
  case malformedLine(Int)
  /// The first line is not `v=0`.
  case unknownVersion
  /// The `o=` line is missing or does not have its six parts.
  case malformedOrigin
  /// An `m=` line does not have a kind, a port, a protocol and formats.
  case malformedMedia(line: Int)

  /// The value as a sentence for people.
  public var description: String {
    switch self {
    case .tooLong: "The session description is too long."
    case .malformedLine(let line): "Line \(line) of the session description is not TYPE=VALUE."
    case .unknownVersion: "The session description does not begin with v=0."
    case .malformedOrigin: "The session description has no valid o= line."
    case .malformedMedia(let line): "Line \(line) of the session description is not a valid m= line."
    }
  }
}
