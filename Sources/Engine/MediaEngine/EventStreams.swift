/// The `AsyncStream` views of an engine's events.
struct EventStreams {
  private struct Entry {
    /// Of one connection only; `nil` for everything.
    var connection: RTCConnection?
    var continuation: AsyncStream<RTCEvent>.Continuation
  }

  private var entries: [Int: Entry] = [:]
  private var nextID = 1

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a view and returns the number by which it is taken away again.
  mutating func add(_ continuation: AsyncStream<RTCEvent>.Continuation, of connection: RTCConnection?) -> Int {
    defer { nextID += 1 }
    entries[nextID] = Entry(connection: connection, continuation: continuation)
    return nextID
  }

  mutating func remove(_ id: Int) { entries[id] = nil }

  /// Those who want to know of an event of this connection, in the order in which they were added.
  func audience(of connection: RTCConnection?, requested: RTCConnection?) -> [AsyncStream<RTCEvent>.Continuation] {
    entries.sorted { $0.key < $1.key }.compactMap { _, entry in
      guard let wanted = entry.connection else { return entry.continuation }
      return wanted == connection || wanted == requested ? entry.continuation : nil
    }
  }

  /// Takes everybody out.
  mutating func removeAll() -> [AsyncStream<RTCEvent>.Continuation] {
    defer { entries.removeAll() }
    return entries.values.map(\.continuation)
  }
}
