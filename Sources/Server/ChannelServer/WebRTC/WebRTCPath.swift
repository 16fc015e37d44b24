/// What a path below `/whip` or `/whep` names.
struct WebRTCPath: Hashable {
  enum Kind: String { case whip, whep }

  var kind: Kind
  var channel: String
  /// The session, for requests about one.
  var resource: String?
  /// Whether it is what the session receives of several encodings.
  var isLayer = false
  /// Whether it is what the session is told.
  var isEvents = false

  /// Reads `/whip/CHANNEL`, `/whip/CHANNEL/SESSION`, `/whep/CHANNEL/SESSION/layer` and `/whep/CHANNEL/SESSION/sse`; `nil` for
  /// anything else.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard (2...4).contains(parts.count), let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }),
      parts.dropFirst().allSatisfy({ !$0.isEmpty })
    else { return nil }
    self.kind = kind
    channel = String(parts[parts.startIndex + 1])
    resource = parts.count > 2 ? String(parts[parts.startIndex + 2]) : nil
    guard parts.count == 4 else { return }
    guard kind == .whep, parts.last == "layer" || parts.last == "sse" else { return nil }
    isLayer = parts.last == "layer"
    isEvents = !isLayer
  }
}
