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
      let found = Mutex<[String]>([])
      // Whoever asks has what waits written.
      let isAnswered = DispatchSemaphore(value: 0)
      records.list(user: nil, limit: 500) { list in
        found.withLock { $0 = list.map(\.callID) }
        isAnswered.signal()
      }
      isAnswered.wait()
      let all = (0...round).flatMap { round in (0..<30).map { "\(round) \($0)" } }
      #expect(found.withLock { $0 } == Array(all.reversed().prefix(50)))
    }
    records.close()
  }
}
