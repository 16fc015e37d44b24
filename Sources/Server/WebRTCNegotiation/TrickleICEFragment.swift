public import ControlWire

/// What a client tells later: candidates, or new credentials (`application/trickle-ice-sdpfrag`, RFC 8840 section 9).
///
/// A lite server needs no candidates of its clients: it learns addresses from their checks. New credentials ask for an
/// ICE restart.
public struct TrickleICEFragment: Hashable, Sendable {
  /// No fragment may be longer.
  public static let maximumByteCount = 16_384

  /// Why a text is no fragment.
  public enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// More than `maximumByteCount` bytes.
    case tooLong
    /// A line that is not a letter, an equals sign and a value. Lines count from 1.
    case malformedLine(Int)

    /// The value as a sentence for people.
    public var description: String {
      switch self {
      case .tooLong: "The trickle ICE fragment is too long; send fewer candidates at a time."
      case .malformedLine(let line):
        "Line \(line) of the trickle ICE fragment is not TYPE=VALUE; send application/trickle-ice-sdpfrag."
      }
    }
  }

  /// `nil` if the fragment does not tell it.
  public var usernameFragment: String?
  /// `nil` if the fragment does not tell it.
  public var password: String?
  /// Whether there are candidates in it.
  public var hasCandidates = false
  /// Whether there will be no more of them.
  public var isComplete = false

  /// Whether it asks for an ICE restart of a client that has had other credentials (RFC 9725 section 4.3.3).
  public func restarts(_ ice: ICEParameters) -> Bool {
    usernameFragment.map { $0 != ice.usernameFragment } ?? false || password.map { $0 != ice.password } ?? false
  }

  /// Reads a fragment. All sections share one transport, so the first credentials count.
  public init(parsing text: String) throws(ParseError) {
    guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
    // Swift takes CR LF for one character.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" || $0 == "\r" }
    for (index, line) in lines.enumerated() where !line.isEmpty {
      guard let kind = line.first, kind.isASCII, kind.isLetter, line.dropFirst().first == "="
      else { throw .malformedLine(index + 1) }
      guard kind == "a" else { continue }
      let parts = line.dropFirst(2).split(separator: ":", maxSplits: 1)
      let value = parts.count == 2 ? String(parts[1]) : nil
      switch parts.first {
      case "ice-ufrag": usernameFragment = usernameFragment ?? value
      case "ice-pwd": password = password ?? value
      case "candidate": hasCandidates = true
      case "end-of-candidates": isComplete = true
      default: break
      }
    }
  }
}
