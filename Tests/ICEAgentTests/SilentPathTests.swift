import MediaBase
import STUNWire
import Testing

@testable import ICEAgent

/// A lite agent whose peer does not nominate with its checks for consent.
@Suite("A path that has fallen silent")
struct SilentPathTests {
  private let former = TransportAddress(ipv4: 0x7F00_0001, port: 40_000)
  private let elsewhere = TransportAddress(ipv4: 0x7F00_0001, port: 50_000)

  /// Connected at 0.
  private func connected() -> Bench {
    var bench = Bench(seed: 21)
    bench.deliver(check(1, nominates: true), to: &bench.server, from: former)
    #expect(bench.server.pollEvent() == .connected(former))
    return bench
  }

  private func check(_ number: UInt64, nominates: Bool = false) -> [UInt8] {
    request(number) {
      $0.add(iceControlling: 5)
      if nominates { $0.addUseCandidate() }
    }
  }

  @Test("the first check from elsewhere is followed, whatever of the time between two checks has passed")
  func checkFromElsewhere() {
    for wait in stride(from: Int64(4_000), through: 6_000, by: 500) {
      var bench = connected()
      for number in 2..<5 as Range<UInt64> {
        bench.now = bench.now + .milliseconds(wait)
        bench.deliver(check(number), to: &bench.server, from: former)
      }
      bench.now = bench.now + .milliseconds(wait)
      bench.deliver(check(5), to: &bench.server, from: elsewhere)
      #expect(bench.server.pollEvent() == .addressChanged(elsewhere))
      // It counts as consent there.
      bench.now = bench.now + .seconds(Int64(29))
      bench.server.handleTimeout(now: bench.now)
      #expect(bench.server.selectedRemoteAddress == elsewhere)
    }
  }

  @Test("a path from which a check or media has come lately is left for none that is not nominated")
  func livePath() {
    var bench = connected()
    for number in 2..<40 as Range<UInt64> {
      bench.now = bench.now + .milliseconds(1_000)
      if number % 4 == 0 {
        bench.deliver(check(number), to: &bench.server, from: former)
      } else {
        bench.server.heardMedia(from: former, at: bench.now)
      }
      bench.now = bench.now + .milliseconds(900)
      bench.deliver(check(100 + number), to: &bench.server, from: elsewhere)
      bench.server.heardMedia(from: elsewhere, at: bench.now)
      #expect(bench.server.selectedRemoteAddress == former)
      while datagram(of: &bench.server, now: bench.now) != nil {}
    }
  }

  @Test("media from elsewhere is followed when the path is silent, but is no consent")
  func mediaFromElsewhere() {
    var bench = connected()
    bench.now = .zero + .milliseconds(1_000)
    bench.deliver(check(2), to: &bench.server, from: elsewhere)
    for time in stride(from: Int64(1_000), to: 2_000, by: 20) {
      bench.server.heardMedia(from: elsewhere, at: .zero + .milliseconds(time))
    }
    #expect(bench.server.selectedRemoteAddress == former)
    bench.server.heardMedia(from: elsewhere, at: .zero + .milliseconds(2_000))
    #expect(bench.server.pollEvent() == .addressChanged(elsewhere))
    for second in 3...30 as ClosedRange<Int64> {
      bench.now = .zero + .seconds(second)
      bench.server.heardMedia(from: elsewhere, at: bench.now)
      bench.server.handleTimeout(now: bench.now)
    }
    #expect(bench.server.pollEvent() == .disconnected)
  }

  @Test("a copy of a check from elsewhere is not followed, however silent the path is")
  func copies() {
    var bench = connected()
    bench.deliver(check(2), to: &bench.server, from: former)
    bench.now = .zero + .seconds(Int64(10))
    bench.deliver(check(2), to: &bench.server, from: elsewhere)
    #expect(bench.server.selectedRemoteAddress == former)
  }

  @Test("without a path, media from anywhere makes none")
  func noPath() {
    var bench = Bench(seed: 22)
    bench.server.heardMedia(from: elsewhere, at: .zero + .seconds(Int64(9)))
    #expect(bench.server.selectedRemoteAddress == nil)
  }
}
