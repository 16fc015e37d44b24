import CSQLite

/// A SQLite database, in a file or in memory. Used by one thread at a time.
///
/// A file is written ahead (WAL): whatever a transaction that has returned has written is there again after the program
/// was killed, and half of a transaction never is.
public final class SQLiteDatabase {
  private let handle: OpaquePointer
  /// Prepared statements by their text: there are few.
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a file, and makes it if it is not there.
  ///
  /// - Parameter path: `nil` for a database in memory.
  public init(path: String?) throws(SQLiteError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path ?? ":memory:", &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let reason = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      throw SQLiteError(code: code, description: "\(path ?? "A database in memory") cannot be opened: \(reason).")
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, 2_000)
    if path != nil {
      try run("PRAGMA journal_mode = WAL")
      try run("PRAGMA synchronous = NORMAL")
    }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Runs one statement, with its parameters in order, and returns the rows that it has.
  @discardableResult
  public func run(_ sql: String, _ parameters: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, parameter) in parameters.enumerated() { try bind(parameter, Int32(index + 1), statement) }
    var rows: [[SQLiteValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { value($0, statement) })
      case SQLITE_DONE: return rows
      case let code: throw error(code)
      }
    }
  }

  /// Does everything in `body`, or nothing of it if it throws.
  public func transaction(_ body: (SQLiteDatabase) throws(SQLiteError) -> Void) throws(SQLiteError) {
    try run("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      try body(self)
      try run("COMMIT")
    } catch {
      _ = try? run("ROLLBACK")
      throw error
    }
  }

  /// Rows that the last statement has changed.
  public var changedRowCount: Int { Int(sqlite3_changes(handle)) }

  private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: SQLiteValue, _ index: Int32, _ statement: OpaquePointer) throws(SQLiteError) {
    // The library copies the text.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code =
      switch value {
      case .null: sqlite3_bind_null(statement, index)
      case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
      case .text(let text): sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), transient)
      }
    if code != SQLITE_OK { throw error(code) }
  }

  private func value(_ column: Int32, _ statement: OpaquePointer) -> SQLiteValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_NULL: .null
    default:
      sqlite3_column_text(statement, column).map { bytes in
        // Not up to the first U+0000 only.
        let count = Int(sqlite3_column_bytes(statement, column))
        return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
      } ?? .null
    }
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, description: "The database reports: \(String(cString: sqlite3_errmsg(handle))).")
  }
}
