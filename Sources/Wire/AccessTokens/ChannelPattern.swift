/// A channel's name in a token, in which `*` stands for any characters, also none; empty stands for all channels.
struct ChannelPattern {
  private let parts: [Substring]

  init(_ text: String) { parts = (text.isEmpty ? "*" : text).split(separator: "*", omittingEmptySubsequences: false) }

  func matches(_ channel: String) -> Bool {
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return parts.first.map { $0 == channel } ?? false
    }
    guard channel.hasPrefix(first), channel.hasSuffix(last), channel.utf8.count >= first.utf8.count + last.utf8.count
    else { return false }
    // The first place is the best one for each of the middle parts.
    var rest = channel.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let place = rest.firstRange(of: part) else { return false }
      rest = rest[place.upperBound...]
    }
    return true
  }
}
