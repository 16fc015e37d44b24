import CallSupervision
import Dispatch
import SQLiteStore
import Synchronization
import WebSocketIO

/// Records of calls in a SQLite database, which has a queue of its own.
///
/// What is saved waits for up to 100 ms, so that many records are written at once; whoever asks for records gets those that
/// wait too.
final class SQLiteCallRecords: CallRecordStore, @unchecked Sendable {
  // @unchecked: the database is touched on `queue` only.

  private struct Waiting {
    var records: [String: CallRecord] = [:]
    var isScheduled = false
    var isClosed = false
  }

  private let queue = DispatchQueue(label: "greenroom.records")
  private let waiting = Mutex(Waiting())
  private var database: SQLiteDatabase?
  private let maximumAgeMilliseconds: Int64
  private let maximumCount: Int
  private let now: @Sendable () -> Int64
  private var pruneTime: Int64 = 0
  /// Records written since then.
  private var writeCount = 0

  /// What a call's record has to fulfil that has not ended; few have, so that finding them costs nothing.
  private static let isOpen = "json_extract(record, '$.endTime') IS NULL"

  /// More than can wait if the disk keeps up.
  static let waitingLimit = 100_000

  /// - Parameters:
  ///   - path: `nil` for memory.
  ///   - maximumAgeDays: older records are removed.
  ///   - now: milliseconds since 1970.
  init(
    path: String?, maximumAgeDays: Int, maximumCount: Int, now: @escaping @Sendable () -> Int64
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
    self.now = now
    maximumAgeMilliseconds = Int64(maximumAgeDays) * 86_400_000
  }

  func save(_ record: CallRecord) {
    let schedules = waiting.withLock { waiting in
      guard !waiting.isClosed, waiting.records.count < Self.waitingLimit || waiting.records[record.callID] != nil
      else { return false }
      waiting.records[record.callID] = record
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if schedules { queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [weak self] in self?.write() } }
  }

  func find(_ callID: String, then: @escaping @Sendable (CallRecord?) -> Void) {
    queue.async { [self] in
      write()
      then(records("SELECT record FROM calls WHERE callId = ?", [.text(callID)]).first)
    }
  }

  func list(user: UInt?, limit: Int, then: @escaping @Sendable ([CallRecord]) -> Void) {
    queue.async { [self] in
      write()
      let limit = SQLiteValue.integer(Int64(limit))
      guard let user else {
        return then(records("SELECT record FROM calls ORDER BY startTime DESC LIMIT ?", [limit]))
      }
      let uid = SQLiteValue.integer(Int64(clamping: user))
      then(
        records(
          """
          SELECT record FROM (
            SELECT record, startTime FROM (SELECT * FROM calls WHERE caller = ? ORDER BY startTime DESC LIMIT ?)
            UNION ALL
            SELECT record, startTime FROM (SELECT * FROM calls WHERE callee = ? ORDER BY startTime DESC LIMIT ?)
          ) ORDER BY startTime DESC LIMIT ?
          """, [uid, limit, uid, limit, limit]))
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
    }
  }

  private func records(_ sql: String, _ parameters: [SQLiteValue]) -> [CallRecord] {
    let rows = (try? database?.run(sql, parameters)) ?? []
    return rows.compactMap { row in
      row.first?.text.flatMap { try? ControlMessageCoding.decode(CallRecord.self, from: $0) }
    }
  }

  /// Writes what waits. What cannot be written, most likely for want of space, is lost.
  private func write() {
    let records = waiting.withLock { waiting in
      waiting.isScheduled = false
      defer { waiting.records.removeAll(keepingCapacity: true) }
      return waiting.records
    }
    guard let database, !records.isEmpty else { return }
    try? database.transaction { (database) throws(SQLiteError) in
      for record in records.values { try Self.write(record, to: database) }
    }
    writeCount += records.count
    prune(database)
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
    _ = try? database.run(
      """
      DELETE FROM calls WHERE startTime <
        (SELECT startTime FROM calls ORDER BY startTime DESC LIMIT 1 OFFSET ?)
      """, [.integer(Int64(maximumCount - 1))])
  }
}
