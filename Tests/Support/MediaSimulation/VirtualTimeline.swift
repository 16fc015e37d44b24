public import MediaBase

/// What will happen on a virtual clock, in the order of time; things at the same instant in the order in which they were
/// scheduled, so that a run follows from its seed.
public struct VirtualTimeline<Action> {
  private struct Entry {
    var time: MediaInstant
    var order: Int
    var action: Action
  }

  /// A binary heap; the earliest is first.
  private var entries: [Entry] = []
  private var scheduledCount = 0

  /// The virtual clock: the time of the action that was taken last.
  public private(set) var now: MediaInstant

  /// An empty timeline.
  public init(start: MediaInstant = .zero + .seconds(1)) { now = start }

  /// When the next action is due.
  public var nextTime: MediaInstant? { entries.first?.time }

  /// Plans an action; one in the past is due now.
  public mutating func schedule(_ action: Action, at time: MediaInstant) {
    entries.append(Entry(time: max(time, now), order: scheduledCount, action: action))
    scheduledCount += 1
    var child = entries.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the next action if it is due by `limit`, and moves the clock to it; otherwise moves the clock to `limit`.
  public mutating func next(until limit: MediaInstant) -> Action? {
    guard let first = entries.first, first.time <= limit else {
      now = max(now, limit)
      return nil
    }
    now = first.time
    let last = entries.removeLast()
    if !entries.isEmpty {
      entries[0] = last
      sink()
    }
    return first.action
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && precedes(child, least) {
        least = child
      }
      guard least != parent else { return }
      entries.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    (entries[a].time, entries[a].order) < (entries[b].time, entries[b].order)
  }
}
