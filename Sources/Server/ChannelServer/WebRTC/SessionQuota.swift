import WebSocketIO

/// How many sessions each network has, and how many of them have never had a media connection: who only sends offers cannot
/// fill channels with users that nobody ever hears.
struct SessionQuota {
  private let limit: Int
  private let unconnectedLimit: Int
  private var counts: [ClientNetwork: (all: Int, unconnected: Int)] = [:]

  init(limit: Int, unconnectedLimit: Int) {
    self.limit = limit
    self.unconnectedLimit = unconnectedLimit
  }

  /// Why a network may not have one more session, as a sentence; `nil` if it may.
  func problem(of network: ClientNetwork) -> String? {
    let count = counts[network] ?? (0, 0)
    if count.all >= limit { return "Your address has too many sessions; end some of them." }
    guard count.unconnected < unconnectedLimit else {
      return "Your address has too many sessions without a media connection; connect or end some of them."
    }
    return nil
  }

  /// A session begins.
  mutating func add(_ network: ClientNetwork) {
    let count = counts[network] ?? (0, 0)
    counts[network] = (count.all + 1, count.unconnected + 1)
  }

  /// The media connection of a session is there for the first time.
  mutating func connected(_ network: ClientNetwork) {
    guard let count = counts[network] else { return }
    counts[network] = (count.all, max(0, count.unconnected - 1))
  }

  /// A session has ended.
  mutating func remove(_ network: ClientNetwork, hasConnected: Bool) {
    guard let count = counts[network] else { return }
    let left = (all: count.all - 1, unconnected: max(0, count.unconnected - (hasConnected ? 0 : 1)))
    counts[network] = left.all > 0 ? left : nil
  }
}
