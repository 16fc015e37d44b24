import LinuxIO
import MediaBase
import TestSupport
import Testing

/// Runs of equal datagrams in one call.
@Suite(.ownThread) struct SegmentTests {
  struct Run: CustomTestStringConvertible {
    var total: Int
    var segment: Int
    var testDescription: String { "\(total) bytes in segments of \(segment)" }
  }

  static let runs = [
    Run(total: 8 * 1_216, segment: 1_216),
    Run(total: 1_216, segment: 1_216),
    Run(total: 1_217, segment: 1_216),
    Run(total: 1_215, segment: 1_216),
    Run(total: 3 * 100 + 37, segment: 100),
    Run(total: 64 * 200, segment: 200),
    Run(total: 65 * 200, segment: 200),
    Run(total: 200 * 20 + 1, segment: 20),
    Run(total: 80_000, segment: 1_400),
    Run(total: 5, segment: 1),
  ]

  @Test(arguments: runs, [true, false])
  func `segments arrive whole, in order, with the last one short`(run: Run, offload: Bool) throws {
    let pair = try SocketPair(usesSegmentationOffload: offload)
    let bytes = pattern(run.total)
    #expect(bytes.withUnsafeBytes { pair.a.sendSegments($0, segmentSize: run.segment, to: pair.b.localAddress) })
    let expected = stride(from: 0, to: run.total, by: run.segment).map {
      Array(bytes[$0..<min($0 + run.segment, run.total)])
    }
    #expect(SocketPair.receive(expected.count, at: pair.b).map(\.bytes) == expected)
    #expect(pair.a.sentDatagrams == expected.count)
    #expect(pair.a.droppedDatagrams == 0)
  }

  @Test func `IPv6 carries segments too`() throws {
    let pair = try SocketPair(host: "::1")
    let bytes = pattern(3_000)
    #expect(bytes.withUnsafeBytes { pair.a.sendSegments($0, segmentSize: 1_000, to: pair.b.localAddress) })
    #expect(
      SocketPair.receive(3, at: pair.b).map(\.bytes) == (0..<3).map { Array(bytes[$0 * 1_000..<$0 * 1_000 + 1_000]) })
  }

  @Test func `a segment size of zero sends one datagram`() throws {
    let pair = try SocketPair()
    #expect(pattern(500).withUnsafeBytes { pair.a.sendSegments($0, segmentSize: 0, to: pair.b.localAddress) })
    #expect(SocketPair.receive(1, at: pair.b).map(\.bytes) == [pattern(500)])
  }
}
