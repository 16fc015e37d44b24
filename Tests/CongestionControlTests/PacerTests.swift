import MediaBase
import Testing

@testable import CongestionControl

@Suite struct PacerTests {
  private let start = MediaInstant.zero + .seconds(5 as Int64)

  /// Sends what waits, and says how many packets went out in each run.
  private func runs(
    _ pacer: inout Pacer, packets: Int, byteCount: Int, from begin: MediaInstant
  ) -> [(time: MediaInstant, count: Int)] {
    var (now, left) = (begin, packets)
    var runs: [(time: MediaInstant, count: Int)] = []
    while left > 0, runs.count < 10_000 {
      var count = 0
      while left > 0, pacer.next(of: .video, now: now) != nil {
        pacer.sent(byteCount: byteCount, now: now)
        left -= 1
        count += 1
      }
      runs.append((now, count))
      now = pacer.nextTimeout(of: .video) ?? now
    }
    return runs
  }

  @Test func `goes out in runs of 5 ms at two and a half times the estimate`() throws {
    var pacer = Pacer(now: start)
    pacer.setRate(targetBitrate: 4_000_000)
    let runs = runs(&pacer, packets: 200, byteCount: 1_250, from: start)
    // 10 Mb/s are 1,250 bytes a millisecond.
    #expect(runs.allSatisfy { (1...5).contains($0.count) })
    #expect(runs.count <= 41)
    let last = try #require(runs.last)
    #expect((180...205).contains((last.time - start).milliseconds))
  }

  @Test func `without an estimate everything goes out at once`() {
    var pacer = Pacer(now: start)
    #expect(runs(&pacer, packets: 500, byteCount: 1_200, from: start).count == 1)
  }

  @Test func `sound at once, then what was asked for again, then pictures`() {
    var pacer = Pacer(now: start)
    pacer.setRate(targetBitrate: 100_000)
    let all: Pacer.Kinds = [.audio, .retransmission, .video, .padding]
    #expect(pacer.next(of: all, now: start) == .audio)
    #expect(pacer.next(of: all.subtracting(.audio), now: start) == .retransmission)
    #expect(pacer.next(of: [.video, .padding], now: start) == .video)
    // Padding without a probe never goes.
    #expect(pacer.next(of: .padding, now: start) == nil)
    for _ in 0..<20 { pacer.sent(byteCount: 1_200, now: start) }
    #expect(pacer.next(of: [.retransmission, .video], now: start) == nil)
    #expect(pacer.next(of: all, now: start) == .audio)
    #expect(pacer.nextTimeout(of: all) == start)
  }

  @Test func `a probe goes out at its rate, filled up with padding, and then ends`() throws {
    var pacer = Pacer(now: start)
    pacer.setRate(targetBitrate: 300_000)
    pacer.begin(ProbeCluster(id: 9, bitrate: 4_000_000), now: start)
    var (now, bytes, kinds) = (start, 0, [Pacer.Kinds]())
    while pacer.isProbing, kinds.count < 100 {
      let waiting: Pacer.Kinds = kinds.count < 3 ? [.video, .padding] : [.padding]
      while let kind = pacer.next(of: waiting, now: now) {
        #expect(pacer.cluster == 9)
        pacer.sent(byteCount: 1_000, now: now)
        bytes += 1_000
        kinds.append(kind)
        if !pacer.isProbing { break }
      }
      now = pacer.nextTimeout(of: waiting) ?? now
    }
    #expect((7_500...9_000).contains(bytes))
    #expect(kinds.prefix(3).allSatisfy { $0 == .video })
    #expect(kinds.dropFirst(3).allSatisfy { $0 == .padding })
    #expect((10...20).contains((now - start).milliseconds))
    #expect(pacer.cluster == 0)
  }

  @Test func `without an estimate media does not wait for a probe and is no part of it`() {
    var pacer = Pacer(now: start)
    pacer.begin(ProbeCluster(id: 3, bitrate: 1_000_000), now: start)
    #expect(pacer.next(of: [.padding], now: start) == .padding)
    #expect(pacer.cluster == 3)
    pacer.sent(byteCount: 1_000, now: start)
    for _ in 0..<50 {
      #expect(pacer.next(of: [.video, .padding], now: start) == .video)
      #expect(pacer.cluster == 0)
      pacer.sent(byteCount: 1_000, now: start)
    }
    #expect(pacer.next(of: [.padding], now: start) == nil)
    #expect(pacer.nextTimeout(of: [.padding]) == start + .milliseconds(8))
    #expect(pacer.next(of: [.padding], now: start + .milliseconds(8)) == .padding)
    #expect(pacer.cluster == 3)
  }

  @Test func `a probe that nobody feeds is given up`() {
    var pacer = Pacer(now: start)
    pacer.begin(ProbeCluster(id: 1, bitrate: 4_000_000), now: start)
    _ = pacer.next(of: [.padding], now: start)
    pacer.sent(byteCount: 1_000, now: start)
    #expect(pacer.next(of: [.video], now: start + .seconds(1 as Int64)) == .video)
    #expect(!pacer.isProbing)
  }
}
