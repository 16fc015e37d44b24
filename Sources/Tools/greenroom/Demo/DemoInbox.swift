import Foundation

/// What the participants have reported, for those who wait for something.
final class DemoInbox: @unchecked Sendable {
  // @unchecked: `entries` is touched only under the lock.

  struct Entry: Codable, Sendable {
    var role: DemoRole
    var report: ActorReport
  }

  private let condition = NSCondition()
  private var entries: [Entry] = []

  /// Takes a report.
  func put(_ role: DemoRole, _ report: ActorReport) {
    condition.withLock {
      entries.append(Entry(role: role, report: report))
      condition.broadcast()
    }
  }

  /// All reports so far.
  var all: [Entry] { condition.withLock { entries } }

  /// Where the next report will be.
  var end: Int { condition.withLock { entries.count } }

  /// Waits for a report at or after `start`; `nil` if none comes in time.
  func first(since start: Int, seconds: Double, where matches: (Entry) -> Bool) -> Entry? {
    let deadline = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      var next = start
      while true {
        while next < entries.count {
          if matches(entries[next]) { return entries[next] }
          next += 1
        }
        if !condition.wait(until: deadline) { return nil }
      }
    }
  }
}
