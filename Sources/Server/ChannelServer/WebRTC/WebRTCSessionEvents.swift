import WebSocketIO

/// The last events of a session, and the request that waits for the next one.
struct WebRTCSessionEvents {
  /// Milliseconds until a request is answered in which nothing has happened.
  static let longestWait: UInt32 = 12_000
  private static let capacity = 16
  /// The kind of event that says nothing about the user who is watched.
  static let tokenWillExpire = "tokenWillExpire"

  private var events: [(number: UInt64, kind: String, data: String)] = []
  private var lastNumber: UInt64 = 0
  private(set) var waiting: HTTPExchange?
  /// Counts requests that wait.
  private(set) var waitCount = 0
  private var after: UInt64 = 0

  mutating func add(_ kind: String, _ data: String) {
    lastNumber += 1
    events.append((lastNumber, kind, data))
    if events.count > Self.capacity { events.removeFirst() }
  }

  /// Has a request wait for what comes behind event `number`; without a number, or with one that has not been, it gets how
  /// things stand. The request that has waited until now.
  mutating func wait(_ exchange: HTTPExchange, after number: UInt64?) -> HTTPExchange? {
    let previous = takeWaiting()
    after = number.map { min($0, lastNumber) } ?? beforeStanding
    waiting = exchange
    return previous
  }

  /// Behind this number is how things stand: the last that was said of the user who is watched, and of the token.
  private var beforeStanding: UInt64 {
    let last = [true, false].compactMap { isOfToken in
      events.last { ($0.kind == Self.tokenWillExpire) == isOfToken }?.number
    }
    return last.min().map { $0 - 1 } ?? 0
  }

  mutating func takeWaiting() -> HTTPExchange? {
    waitCount += 1
    defer { waiting = nil }
    return waiting
  }

  /// What the waiting request has not been told; `nil` if there is nothing, or no such request.
  var text: String? {
    guard waiting != nil else { return nil }
    let new = events.filter { $0.number > after }
    guard !new.isEmpty else { return nil }
    return new.map { "id: \($0.number)\nevent: \($0.kind)\ndata: \($0.data)\n\n" }.joined()
  }
}
