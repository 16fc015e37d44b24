import CallSupervision
import Dispatch
import Foundation
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import ChannelServer

/// A disk that is full is played by a database that may not grow.
@Suite("Records of calls that cannot be written", .ownThread, .timeLimit(.minutes(5))) struct FullDiskTests {
  private final class Told: Sendable {
    let texts = Mutex<[String]>([])
    let time = Mutex<Int64>(1_000_000)
  }

  private let told = Told()

  private func open(limits: SQLiteCallRecords.Limits = .init()) throws -> (records: SQLiteCallRecords, path: String) {
    let path = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID().uuidString).db").path
    let records = try SQLiteCallRecords(
      path: path, maximumAgeDays: 30, maximumCount: 1_000, limits: limits,
      onTrouble: { [told] text in told.texts.withLock { $0.append(text) } },
      now: { [told] in told.time.withLock { $0 } })
    return (records, path)
  }

  private func record(_ id: String, start: Int64 = 1_000_000) -> CallRecord {
    // Longer than a page, so that each needs new ones.
    CallRecord(
      callID: id, caller: 1, callee: 2, room: String(repeating: "r", count: 8_000), type: .audio, startTime: start)
  }

  private func limitPageCount(_ count: Int, _ records: SQLiteCallRecords) {
    records.queue.sync { _ = try? records.database?.run("PRAGMA max_page_count = \(count)") }
  }

  private func ids(_ records: SQLiteCallRecords, user: UInt? = nil) -> [String] {
    let found = Mutex<[String]>([])
    let isAnswered = DispatchSemaphore(value: 0)
    records.list(user: user, limit: 500) { list in
      found.withLock { $0 = list.map(\.callID) }
      isAnswered.signal()
    }
    isAnswered.wait()
    return found.withLock { $0 }
  }

  @Test("they wait, are found meanwhile, and are written when there is room again; that is told once a minute")
  func recovers() throws {
    let (records, path) = try open()
    records.save(record("before"))
    #expect(ids(records) == ["before"])
    limitPageCount(1, records)
    for number in 0..<50 { records.save(record("\(number)", start: 1_000_001 + Int64(number))) }
    let all = (0..<50).reversed().map { "\($0)" } + ["before"]
    #expect(ids(records) == all && ids(records, user: 2) == all && ids(records, user: 3) == [])
    #expect(ids(records) == all)
    #expect(told.texts.withLock { $0.count } == 1)
    #expect(told.texts.withLock { $0.first }?.contains("Records of calls cannot be written") == true)
    told.time.withLock { $0 += 60_000 }
    #expect(ids(records) == all)
    #expect(told.texts.withLock { $0.count } == 2 && records.lostCount == 0)
    limitPageCount(1_000_000, records)
    // By itself, without being asked.
    let reader = try SQLiteDatabase(path: path)
    var count: Int64?
    for _ in 0..<2_000 where count != 51 {
      count = try reader.run("SELECT COUNT(*) FROM calls").first?.first?.integer
      usleep(10_000)
    }
    #expect(count == 51)
    records.close()
  }

  @Test("what is too much to wait is lost and counted, but not the news of a call that waits")
  func bounds() throws {
    let (records, _) = try open(limits: .init(count: 3, reportByteCount: 100))
    limitPageCount(1, records)
    for number in 0..<5 { records.save(record("\(number)")) }
    // Some may have been tried to be written in between, which changes nothing.
    #expect(Set(ids(records)) == ["0", "1", "2"] && records.lostCount == 2)
    var ended = record("1")
    ended.endTime = 1_000_100
    records.save(ended)
    #expect(records.lostCount == 2)
    ended.costs = ["1": [String(repeating: "x", count: 100): 1]]
    records.save(ended)
    #expect(records.lostCount == 3)
    records.close()
    #expect(told.texts.withLock { $0.last }?.contains("3 records of calls could not be written") == true)
  }
}
