import ControlWire
import MediaBase

/// Texts that a user's client has not confirmed, by rising number.
struct HeldTexts: Sendable {
  private struct Share: Sendable {
    var count = 0
    var byteCount = 0
  }

  private(set) var texts: [HeldText] = []
  /// Bytes of all of them.
  private(set) var byteCount = 0
  /// What waits from each sender, without what the server itself says.
  private var shares: [UInt: Share] = [:]

  /// What they count against the limit of all users.
  var cost: Int { byteCount + texts.count * HeldText.overheadByteCount }

  /// Whether one more text may wait. It may if what is left free then is at least as much as what waits from its sender: one
  /// sender gets half of the places, two a third each, and so on, so that a crowd of senders leaves room for one more.
  /// What the server itself says may take the rest.
  func hasRoom(for text: HeldText, _ configuration: SignalConfiguration) -> Bool {
    let freeCount = configuration.maximumHeldCount - texts.count - 1
    let freeByteCount = configuration.maximumHeldByteCount - byteCount - text.byteCount
    guard text.origin != .nobody else { return freeCount >= 0 && freeByteCount >= 0 }
    let share = shares[text.message.from] ?? Share()
    return share.count + 1 <= freeCount && share.byteCount + text.byteCount <= freeByteCount
  }

  mutating func append(_ text: HeldText) {
    texts.append(text)
    count(text, 1)
  }

  /// All have been written to a connection that are worth it still. Returns those.
  mutating func markSent(now: MediaInstant) -> [HeldText] {
    for index in texts.indices where texts[index].expiryTime > now { texts[index].hasBeenSent = true }
    return texts.filter { $0.expiryTime > now }
  }

  /// Takes out those that have come.
  mutating func removeFirst(upTo sequence: Int) -> [HeldText] {
    let gone = Array(texts.prefix { $0.sequence <= sequence })
    texts.removeFirst(gone.count)
    for text in gone { count(text, -1) }
    return gone
  }

  /// Takes out those whose time is over.
  mutating func removeExpired(now: MediaInstant) -> [HeldText] {
    let gone = texts.filter { $0.expiryTime <= now }
    guard !gone.isEmpty else { return [] }
    texts.removeAll { $0.expiryTime <= now }
    for text in gone { count(text, -1) }
    return gone
  }

  /// When the first of them is not worth delivering any more.
  var nextExpiry: MediaInstant? { texts.lazy.map(\.expiryTime).min() }

  private mutating func count(_ text: HeldText, _ sign: Int) {
    byteCount += sign * text.byteCount
    guard text.origin != .nobody else { return }
    var share = shares[text.message.from] ?? Share()
    share.count += sign
    share.byteCount += sign * text.byteCount
    shares[text.message.from] = share.count > 0 ? share : nil
  }
}

/// A text on its way to a user.
struct HeldText: Sendable {
  var sequence: Int
  var message: ReceivedMessage
  var expiryTime: MediaInstant
  /// Whether it has been written to a connection at least once, so that it may have come.
  var hasBeenSent: Bool
  var origin: SignalOrigin

  /// What a text counts beside its bytes where memory is limited.
  static let overheadByteCount = 256

  var byteCount: Int { message.message.utf8.count }
}
