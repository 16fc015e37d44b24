import Foundation
import SQLiteStore
import Testing

@Suite struct SQLiteStoreTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  @Test func valuesComeBackAsTheyWere() throws {
    let database = try SQLiteDatabase(path: nil)
    try database.run("CREATE TABLE t (a, b)")
    let rows: [[SQLiteValue]] = [
      [.integer(.min), .text("")], [.integer(.max), .null], [.text("é😀'; DROP TABLE t; --"), .text("x")],
    ]
    for row in rows { try database.run("INSERT INTO t VALUES (?, ?)", row) }
    #expect(try database.run("SELECT a, b FROM t ORDER BY rowid") == rows)
  }

  @Test func aTransactionThatThrowsLeavesNothing() throws {
    let database = try SQLiteDatabase(path: path("t"))
    try database.run("CREATE TABLE t (a INTEGER PRIMARY KEY)")
    #expect(throws: SQLiteError.self) {
      try database.transaction { database throws(SQLiteError) in
        try database.run("INSERT INTO t VALUES (1)")
        try database.run("INSERT INTO t VALUES (1)")
      }
    }
    #expect(try database.run("SELECT * FROM t").isEmpty)
    try database.transaction { database throws(SQLiteError) in try database.run("INSERT INTO t VALUES (2)") }
    #expect(try database.run("SELECT * FROM t") == [[.integer(2)]])
  }

  @Test func whatWasCommittedIsThereAfterAProgramThatWasKilledAndHalvesAreNot() throws {
    let database = try SQLiteDatabase(path: path("t"))
    try database.run("CREATE TABLE t (a)")
    try database.transaction { database throws(SQLiteError) in try database.run("INSERT INTO t VALUES (1)") }
    try database.run("BEGIN IMMEDIATE")
    try database.run("INSERT INTO t VALUES (2)")
    // The files as a killed program leaves them: nothing was closed.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path("t" + suffix), toPath: path("copy" + suffix))
    }
    let copy = try SQLiteDatabase(path: path("copy"))
    #expect(try copy.run("SELECT a FROM t") == [[.integer(1)]])
    try database.run("ROLLBACK")
  }

  @Test func whatIsWrongIsSaid() throws {
    #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: "/nowhere/at/all") }
    try Data("This is no database, though it is long enough to be looked at as one.".utf8)
      .write(to: folder.appending(path: "text"))
    #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path("text")).run("SELECT * FROM sqlite_master") }
    let database = try SQLiteDatabase(path: nil)
    do throws(SQLiteError) {
      try database.run("SELECT * FROM elsewhere")
      Issue.record("read a table that is not there")
    } catch { #expect(error.description == "The database reports: no such table: elsewhere.") }
  }
}
