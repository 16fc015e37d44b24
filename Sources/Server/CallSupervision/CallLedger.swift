public import ControlWire
public import MediaBase

/// What becomes of calls, from the messages that pass through the server's signalling and from who is in which channel;
/// without input and output.
///
/// It keeps a record of each call, and ends calls whose end got lost. Users can say what they like, so a message counts only
/// between the two sides of the call it names.
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
    var startInstant: MediaInstant
    var acceptInstant: MediaInstant?
    var endInstant: MediaInstant?
    /// Whether a side has been seen in the channel here: otherwise its media is elsewhere, and nobody can be missed.
    var hasBeenSeen = false
    /// Since when a side that was in the channel is gone.
    var absences: [UInt: MediaInstant] = [:]
    /// Whether the sides have been told of the end by the server.
    var hasBeenTold = false
    /// When a server that was started again has found the call open in its records.
    var restoreInstant: MediaInstant?
  }

  /// How long it waits, and how much it keeps.
  public let configuration: CallLedgerConfiguration
  var calls: [String: Call] = [:]
  /// Ids of calls in memory by user, in order.
  var callsOfUsers: [UInt: [String]] = [:]
  /// Ids of calls in memory by channel, in order.
  var callsOfRooms: [String: [String]] = [:]
  /// Who is in which channel.
  var present: [String: Set<UInt>] = [:]
  private var events: [CallLedgerEvent] = []
  private var eventIndex = 0
  /// When to look after calls.
  private var deadlines = DeadlineQueue<String>()

  /// Things that become due within such a time are done together.
  static let sweepInterval = MediaDuration.milliseconds(100)

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

  /// A user reports on a call. Returns why that is refused.
  public mutating func receive(_ report: ReportRequest, from uid: UInt, now: Time) -> ErrorResponse? {
    guard var call = calls[report.callID], call.record.parties.contains(uid) else {
      return ErrorResponse(
        code: .invalidArgument,
        message: "User \(uid) has no call \(report.callID) to report on; report during it or within a minute after it.")
    }
    let (key, limit) = (String(uid), ReportRequest.maximumEntryCount)
    let costs = (call.record.costs[key] ?? [:]).merging(report.costs) { $1 }
    let quality = (call.record.quality[key] ?? [:]).merging(report.quality) { $1 }
    guard costs.count <= limit, quality.count <= limit else {
      return ErrorResponse(
        code: .resourceLimited, message: "A user can report at most \(limit) costs and qualities of a call.")
    }
    if !costs.isEmpty { call.record.costs[key] = costs }
    if !quality.isEmpty { call.record.quality[key] = quality }
    calls[report.callID] = call
    if report.kind == ReportRequest.connected { connect(report.callID, now: now) }
    if let record = calls[report.callID]?.record { emit(.changed(record, .reported)) }
    return nil
  }

  mutating func emit(_ event: CallLedgerEvent) { events.append(event) }

  /// Does everything that has become due.
  public mutating func handleTimeout(now: Time) {
    while let id = deadlines.popFirst(dueAt: now.instant) {
      if let deadline = deadline(of: id), deadline <= now.instant { expire(id, now: now) }
      schedule(id, now: now.instant)
    }
  }

  /// Has a call looked after when something has to happen with it, or soon after.
  mutating func schedule(_ id: String, now: MediaInstant) {
    deadlines.set(id, deadline(of: id).map { max($0, now + Self.sweepInterval) })
  }
}
