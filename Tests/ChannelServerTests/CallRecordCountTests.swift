import CallSupervision
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import ChannelServer

@Suite(.ownThread) struct CallRecordCountTests {
  @Test("records are kept within their number also while very many come in a minute")
  func number() throws {
    let records = try SQLiteCallRecords(path: nil, maximumAgeDays: 30, maximumCount: 50) { 1_000_000 }
    for round in 0..<10 {
      for number in 0..<30 {
        records.save(
          CallRecord(
            callID: "\(round) \(number)", caller: 1, callee: 2, room: "r", type: .audio,
            startTime: 1_000_000 + Int64(round * 30 + number)))
      }
      let found = Self.list(records)
      let all = (0...round).flatMap { round in (0..<30).map { "\(round) \($0)" } }
      #expect(found == Array(all.reversed().prefix(50)))
    }
    records.close()
  }

  @Test("whoever calls very often pushes out own records and not those of others")
  func fairness() throws {
    let records = try SQLiteCallRecords(path: nil, maximumAgeDays: 30, maximumCount: 50) { 1_000_000 }
    func save(_ callID: String, from caller: UInt, at time: Int64) {
      records.save(CallRecord(callID: callID, caller: caller, callee: 9, room: "r", type: .audio, startTime: time))
    }
    for number in 0..<20 { save("early \(number)", from: UInt(10 + number % 4), at: Int64(number)) }
    for number in 0..<1_000 {
      save("flood \(number)", from: 1, at: Int64(100 + number))
      if number % 25 == 0 { _ = Self.list(records) }
    }
    let found = Self.list(records)
    #expect(found.count == 50)
    #expect(found.filter { $0.hasPrefix("early") }.count == 20)
    #expect(found.first == "flood 999" && found.contains("flood 970"))
    records.close()
  }

  /// The ids of all records, newest first. Whoever asks has what waits written.
  private static func list(_ records: SQLiteCallRecords) -> [String] {
    let found = Mutex<[String]>([])
    let isAnswered = DispatchSemaphore(value: 0)
    records.list(user: nil, limit: 500) { list in
      found.withLock { $0 = list.map(\.callID) }
      isAnswered.signal()
    }
    isAnswered.wait()
    return found.withLock { $0 }
  }
}
