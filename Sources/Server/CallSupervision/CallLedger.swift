public import MediaBase

/// What becomes of calls, from the messages that pass through the server's signalling and from who is in which channel;
/// without input and output.
///
/// It keeps a record of each call, and looks after those whose end got lost. Users can say what they like, so a message
/// counts only between the two sides of the call it names.
public struct CallLedger: Sendable {
  /// The time by the two clocks that a ledger needs.
  public struct Time: Sendable {
    /// For waiting.
    public var instant: MediaInstant
    /// For records, in milliseconds since 1970.
    public var milliseconds: Int64

    /// Makes a time.
    public init(instant: MediaInstant, milliseconds: Int64) {
      self.instant = instant
      self.milliseconds = milliseconds
    }
  }

  struct Call: Sendable {
    var record: CallRecord
    /// Counts calls.
    var number: UInt64 = 0
    var startInstant: MediaInstant
    var acceptInstant: MediaInstant?
    var endInstant: MediaInstant?
    /// Whether a side has been seen in the channel here: otherwise its media is elsewhere, and nobody can be missed.
    var hasBeenSeen = false
    /// Since when a side that was in the channel is gone.
    var absences: [UInt: MediaInstant] = [:]
    /// Whether the side that is in the channel has been told that the other is missing, which is missing still.
    var hasBeenMissed = false
    /// Whether the sides have been told of the end by the server.
    var hasBeenTold = false
    /// When a server that was started again has found the call open in its records.
    var restoreInstant: MediaInstant?
    /// What the sides' reports count.
    var reportByteCount = 0

    /// Why it is over if a side stays away.
    var lossReason: CallRecord.EndReason { record.connectTime == nil ? .neverConnected : .lost }
  }

  /// How long it waits, and how much it keeps.
  public let configuration: CallLedgerConfiguration
  var calls: [String: Call] = [:]
  var lastNumber: UInt64 = 0
  /// Calls in memory by who makes them, and by whom they are made to.
  var callers: [UInt: Share] = [:]
  var callees: [UInt: Share] = [:]
  /// Ids of open calls by their two sides, and by a side and the channel.
  var openCalls: [Pair: ArrivalOrder<String>] = [:]
  var openCallsAtPlaces: [Place: ArrivalOrder<String>] = [:]
  /// Ids of accepted calls of which neither side has been seen, in the order of their accepts.
  var unseenCalls = ArrivalOrder<String>()
  /// What reports on calls in memory count.
  var reportByteCount = 0
  /// Who is in which channel.
  var present: [String: Set<UInt>] = [:]
  private var events: [CallLedgerEvent] = []
  private var eventIndex = 0
  /// When to look after calls.
  var deadlines = DeadlineQueue<String>()
  /// Calls that were looked at: what is done grows as this does.
  var lookCount = 0

  /// Things that become due within such a time are done together.
  static let sweepInterval = MediaDuration.milliseconds(100)
  /// As many calls are looked after at once. Then others have their turn, and `nextTimeout` is due still.
  static let turnCallCount = 200

  /// Makes an empty ledger.
  public init(configuration: CallLedgerConfiguration = CallLedgerConfiguration()) {
    self.configuration = configuration
  }

  /// The next event, or `nil`.
  public mutating func pollEvent() -> CallLedgerEvent? {
    guard eventIndex < events.count else {
      events.removeAll(keepingCapacity: true)
      eventIndex = 0
      return nil
    }
    defer { eventIndex += 1 }
    return events[eventIndex]
  }

  /// When `handleTimeout(now:)` wants to be called; `nil` while there is nothing to wait for.
  public var nextTimeout: MediaInstant? { deadlines.nextTime }

  /// The record of a call that is going on or has just ended.
  public func record(_ callID: String) -> CallRecord? { calls[callID]?.record }

  /// Calls in memory.
  public var callCount: Int { calls.count }

  mutating func emit(_ event: CallLedgerEvent) { events.append(event) }

  /// Does what has become due, or the first part of it.
  public mutating func handleTimeout(now: Time) {
    for _ in 0..<Self.turnCallCount {
      guard let id = deadlines.popFirst(dueAt: now.instant) else { return }
      lookCount &+= 1
      if let deadline = deadline(of: id), deadline <= now.instant { expire(id, now: now) }
      schedule(id, now: now.instant)
    }
  }

  /// Has a call looked after when something has to happen with it, or soon after.
  mutating func schedule(_ id: String, now: MediaInstant) {
    deadlines.set(id, deadline(of: id).map { max($0, now + Self.sweepInterval) })
  }
}
