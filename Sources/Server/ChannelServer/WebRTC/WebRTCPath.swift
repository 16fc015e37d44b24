/// What a path below `/whip` or `/whep` names.
struct WebRTCPath: Hashable {
  enum Kind: String { case whip, whep }

  var kind: Kind
  var channel: String
  /// The session, for requests about one.
  var resource: String?

  /// Reads `/whip/CHANNEL` and `/whip/CHANNEL/SESSION`; `nil` for anything else.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard (2...3).contains(parts.count), let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }),
      parts.dropFirst().allSatisfy({ !$0.isEmpty })
    else { return nil }
    self.kind = kind
    channel = String(parts[parts.startIndex + 1])
    resource = parts.count == 3 ? String(parts[parts.startIndex + 2]) : nil
  }
}
