import MediaBase

/// A state and since when it has been so.
struct StateWatch<State: Equatable> {
  private(set) var state: State
  private var since: MediaInstant

  init(_ state: State, since: MediaInstant) {
    self.state = state
    self.since = since
  }

  /// Takes over a state; the old one and how long it lasted, if the new one is another.
  mutating func move(to new: State, now: MediaInstant) -> (old: State, elapsed: MediaDuration)? {
    guard new != state else { return nil }
    defer {
      state = new
      since = now
    }
    return (state, now - since)
  }
}
