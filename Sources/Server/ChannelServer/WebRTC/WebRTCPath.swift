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
  /// Whether it is what of a publisher is muted.
  var isMedia = false

  /// Reads `/whip/CHANNEL`, `/whip/CHANNEL/SESSION`, `/whip/CHANNEL/SESSION/media`, `/whep/CHANNEL/SESSION/layer` and
  /// `/whep/CHANNEL/SESSION/sse`; `nil` for anything else.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard (2...4).contains(parts.count), let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }),
      parts.dropFirst().allSatisfy({ !$0.isEmpty })
    else { return nil }
    self.kind = kind
    channel = String(parts[parts.startIndex + 1])
    resource = parts.count > 2 ? String(parts[parts.startIndex + 2]) : nil
    guard parts.count == 4 else { return }
    switch (kind, parts.last) {
    case (.whip, "media"): isMedia = true
    case (.whep, "layer"): isLayer = true
    case (.whep, "sse"): isEvents = true
    default: return nil
    }
  }
}
