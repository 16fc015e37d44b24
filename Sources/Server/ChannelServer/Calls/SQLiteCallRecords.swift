import CallSupervision
import Dispatch
import SQLiteStore
import Synchronization
import WebSocketIO

/// Records of calls in a SQLite database, which has a queue of its own.
///
/// What is saved waits for up to 100 ms, so that many records are written at once; whoever asks for records gets those that
/// wait too. What cannot be written, most likely since the disk is full, waits on and is tried again.
final class SQLiteCallRecords: CallRecordStore, @unchecked Sendable {
  // @unchecked: the database is touched on `queue` only.

  private struct Waiting {
    var records: [String: CallRecord] = [:]
    /// What the reports in them take, about.
    var reportByteCount = 0
    var lostCount: UInt64 = 0
    var isScheduled = false
    var isClosed = false

    /// Takes a record in place of an earlier one of the same call; false if there is no room.
    mutating func put(_ record: CallRecord, _ limits: Limits) -> Bool {
      let old = records[record.callID]
      let growth = record.reportByteCount - (old?.reportByteCount ?? 0)
      guard old != nil || records.count < limits.count,
        growth <= 0 || reportByteCount + growth <= limits.reportByteCount
      else {
        lostCount &+= 1
        return false
      }
      records[record.callID] = record
      reportByteCount += growth
      return true
    }
  }

  /// How much may wait: more than ever does if the disk keeps up.
  struct Limits: Sendable {
    var count = 100_000
    var reportByteCount = 64 << 20
  }

  let queue = DispatchQueue(label: "greenroom.records")
  private let waiting = Mutex(Waiting())
  private(set) var database: SQLiteDatabase?
  private let maximumAgeMilliseconds: Int64
  private let maximumCount: Int
  private let now: @Sendable () -> Int64
  private var pruneTime: Int64 = 0
  /// Records written since then.
  private var writeCount = 0
  private let limits: Limits
  private let onTrouble: @Sendable (String) -> Void
  private var troubleTime: Int64?

  /// What a call's record has to fulfil that has not ended; few have, so that finding them costs nothing.
  private static let isOpen = "json_extract(record, '$.endTime') IS NULL"
  /// After a failure it is tried again so much later.
  private static let retryMilliseconds = 1_000

  /// - Parameters:
  ///   - path: `nil` for memory.
  ///   - maximumAgeDays: older records are removed.
  ///   - limits: how much may wait.
  ///   - onTrouble: told in words, at most once a minute, that records cannot be written; on a thread of the store's.
  ///   - now: milliseconds since 1970.
  init(
    path: String?, maximumAgeDays: Int, maximumCount: Int, limits: Limits = Limits(),
    onTrouble: @escaping @Sendable (String) -> Void = { _ in }, now: @escaping @Sendable () -> Int64
  ) throws(SQLiteError) {
    let database = try SQLiteDatabase(path: path)
    try database.run(
      """
      CREATE TABLE IF NOT EXISTS calls (
        callId TEXT PRIMARY KEY, caller INTEGER NOT NULL, callee INTEGER NOT NULL, startTime INTEGER NOT NULL,
        record TEXT NOT NULL)
      """)
    for column in ["caller", "callee"] {
      try database.run("CREATE INDEX IF NOT EXISTS callsOf\(column) ON calls (\(column), startTime)")
    }
    try database.run("CREATE INDEX IF NOT EXISTS callsByTime ON calls (startTime)")
    try database.run("CREATE INDEX IF NOT EXISTS openCalls ON calls (startTime) WHERE \(Self.isOpen)")
    self.database = database
    self.maximumCount = maximumCount
    self.limits = limits
    self.onTrouble = onTrouble
    self.now = now
    maximumAgeMilliseconds = Int64(maximumAgeDays) * 86_400_000
  }

  func save(_ record: CallRecord) {
    let schedules = waiting.withLock { waiting in
      guard !waiting.isClosed, waiting.put(record, limits) else { return false }
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if schedules { write(afterMilliseconds: 100) }
  }

  private func write(afterMilliseconds delay: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
      guard let self else { return }
      waiting.withLock { $0.isScheduled = false }
      write()
    }
  }

  var lostCount: UInt64 { waiting.withLock { $0.lostCount } }

  func find(_ callID: String, then: @escaping @Sendable (CallRecord?) -> Void) {
    queue.async { [self] in
      write()
      let written = records("SELECT record FROM calls WHERE callId = ?", [.text(callID)]).first
      then(newest(callID, written))
    }
  }

  func list(user: UInt?, limit: Int, then: @escaping @Sendable ([CallRecord]) -> Void) {
    queue.async { [self] in
      write()
      let (count, limit) = (limit, SQLiteValue.integer(Int64(limit)))
      guard let user else {
        return then(
          withWaiting(records("SELECT record FROM calls ORDER BY startTime DESC LIMIT ?", [limit]), nil, count))
      }
      let uid = SQLiteValue.integer(Int64(clamping: user))
      let written = records(
        """
        SELECT record FROM (
          SELECT record, startTime FROM (SELECT * FROM calls WHERE caller = ? ORDER BY startTime DESC LIMIT ?)
          UNION ALL
          SELECT record, startTime FROM (SELECT * FROM calls WHERE callee = ? ORDER BY startTime DESC LIMIT ?)
        ) ORDER BY startTime DESC LIMIT ?
        """, [uid, limit, uid, limit, limit])
      then(withWaiting(written, user, count))
    }
  }

  func findOpen(limit: Int, then: @escaping @Sendable ([CallRecord]) -> Void) {
    queue.async { [self] in
      write()
      let sql = "SELECT record FROM calls WHERE \(Self.isOpen) ORDER BY startTime DESC LIMIT ?"
      then(records(sql, [.integer(Int64(limit))]))
    }
  }

  func close() {
    waiting.withLock { $0.isClosed = true }
    queue.sync {
      write()
      database = nil
      let count = waiting.withLock { $0.records.count }
      if count > 0 { onTrouble("\(count) records of calls could not be written and are lost.") }
    }
  }

  /// A call's record, if the newest that is known could not be written yet. Whoever takes the id of another's call for a new
  /// one changes nothing.
  private func newest(_ callID: String, _ written: CallRecord?) -> CallRecord? {
    guard let waits = waiting.withLock({ $0.records[callID] }) else { return written }
    guard let written else { return waits }
    return waits.caller == written.caller && waits.startTime == written.startTime ? waits : written
  }

  /// Records, newest first, with those that could not be written yet.
  private func withWaiting(_ written: [CallRecord], _ user: UInt?, _ limit: Int) -> [CallRecord] {
    let waits = waiting.withLock { $0.records }
    guard !waits.isEmpty else { return written }
    var all = Dictionary(written.map { ($0.callID, $0) }) { first, _ in first }
    for (id, record) in waits where user == nil || record.caller == user || record.callee == user {
      all[id] = newest(id, all[id])
    }
    return Array(all.values.sorted { $0.startTime > $1.startTime }.prefix(limit))
  }

  private func records(_ sql: String, _ parameters: [SQLiteValue]) -> [CallRecord] {
    let rows = (try? database?.run(sql, parameters)) ?? []
    return rows.compactMap { row in
      row.first?.text.flatMap { try? ControlMessageCoding.decode(CallRecord.self, from: $0) }
    }
  }

  /// Writes what waits, all or nothing.
  private func write() {
    let records = waiting.withLock { waiting in
      defer { (waiting.records, waiting.reportByteCount) = ([:], 0) }
      return waiting.records
    }
    guard let database, !records.isEmpty else { return }
    do throws(SQLiteError) {
      try database.transaction { (database) throws(SQLiteError) in
        for record in records.values { try Self.write(record, to: database) }
      }
      writeCount += records.count
    } catch {
      keep(records, error)
    }
    prune(database)
  }

  /// Has records wait on that could not be written.
  private func keep(_ records: [String: CallRecord], _ error: SQLiteError) {
    let schedules = waiting.withLock { waiting in
      // What has come meanwhile is newer.
      for (id, record) in records where waiting.records[id] == nil { _ = waiting.put(record, limits) }
      defer { waiting.isScheduled = !waiting.isClosed }
      return !waiting.isScheduled && !waiting.isClosed
    }
    if schedules { write(afterMilliseconds: Self.retryMilliseconds) }
    let now = now()
    if let troubleTime, (0..<60_000).contains(now - troubleTime) { return }
    troubleTime = now
    let (count, lost) = waiting.withLock { ($0.records.count, $0.lostCount) }
    onTrouble(
      "Records of calls cannot be written: \(error.description) \(count) wait and are tried again"
        + (lost == 0 ? "." : "; \(lost) changes of records are lost."))
  }

  /// Whoever takes the id of another's call for a new one changes nothing.
  private static func write(_ record: CallRecord, to database: SQLiteDatabase) throws(SQLiteError) {
    guard let text = try? ControlMessageCoding.encode(record) else { return }
    try database.run(
      """
      INSERT INTO calls (callId, caller, callee, startTime, record) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (callId) DO UPDATE SET record = excluded.record
        WHERE calls.caller = excluded.caller AND calls.startTime = excluded.startTime
      """,
      [
        .text(record.callID), .integer(Int64(clamping: record.caller)), .integer(Int64(clamping: record.callee)),
        .integer(record.startTime), .text(text),
      ])
  }

  /// Once a minute, and when so much has been written that there may be a tenth too many.
  private func prune(_ database: SQLiteDatabase) {
    let now = now()
    guard now - pruneTime >= 60_000 || now < pruneTime || writeCount > maximumCount / 10 else { return }
    (pruneTime, writeCount) = (now, 0)
    _ = try? database.run("DELETE FROM calls WHERE startTime < ?", [.integer(now - maximumAgeMilliseconds)])
    // The oldest of whoever has called most, so that nobody pushes the records of others out by calling very often.
    let count = (try? database.run("SELECT COUNT(*) FROM calls"))?.first?.first?.integer ?? 0
    guard count > maximumCount else { return }
    _ = try? database.run(
      """
      DELETE FROM calls WHERE rowid IN (
        SELECT id FROM (
          SELECT rowid AS id, startTime, ROW_NUMBER() OVER (PARTITION BY caller ORDER BY startTime DESC) AS place FROM calls
        ) ORDER BY place DESC, startTime LIMIT ?
      )
      """, [.integer(count - Int64(maximumCount))])
  }
}
