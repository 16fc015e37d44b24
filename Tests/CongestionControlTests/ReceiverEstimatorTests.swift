import CongestionControl
import MediaBase
import Testing

@Suite struct ReceiverEstimatorTests {
  /// A sender of pictures that does what it is told, and does not know more than that.
  private struct Sender {
    var estimator = ReceiverEstimator()
    var line: Bottleneck
    var now = MediaInstant.zero + .seconds(1_000 as Int64)
    var told: [(time: MediaInstant, bitrate: UInt64)] = []
    private var bitrate = 300_000.0
    private var flights: [(due: MediaInstant, sendTime: UInt32, byteCount: Int)] = []
    private var nextPicture = MediaInstant.zero
    private var pace: [Int] = []

    init(_ conditions: Bottleneck.Conditions, seed: UInt64 = 1) { line = Bottleneck(conditions, seed: seed) }

    mutating func run(seconds: Int, production: Double = 20_000_000) {
      for _ in 0..<seconds * 1_000 {
        now = now + .milliseconds(1)
        if now >= nextPicture {
          nextPicture = now + .milliseconds(33)
          var left = Int(min(bitrate, production) * 0.033 / 8)
          while left > 0 {
            pace.append(min(left, 1_200))
            left -= 1_200
          }
        }
        // Spread over the time of a picture, two at a time.
        for _ in 0..<2 where !pace.isEmpty { send(pace.removeFirst()) }
        for flight in flights where flight.due <= now {
          estimator.arrived(sendTime: flight.sendTime, byteCount: flight.byteCount, now: flight.due)
          guard let due = estimator.takeDue(now: now) else { continue }
          bitrate = Double(due)
          told.append((now, due))
        }
        flights.removeAll { $0.due <= now }
      }
    }

    private mutating func send(_ byteCount: Int) {
      // Its clock is not ours, and wraps every 64 s.
      let units = UInt32(truncatingIfNeeded: (now.nanoseconds + 77_000_000_000) / 1_000 * 262_144 / 1_000_000)
      guard let due = line.arrival(byteCount: byteCount, now: now) else { return }
      flights.append((due, units & 0xFF_FFFF, byteCount))
    }
  }

  @Test(arguments: [500_000, 1_000_000, 4_000_000])
  func `a sender that is told what arrives fills a line without filling its queue`(bitsPerSecond: Int) {
    var sender = Sender(.init(bitsPerSecond: bitsPerSecond))
    sender.run(seconds: 200)
    let half = sender.now - .seconds(100 as Int64)
    let late = sender.told.filter { $0.time >= half }.map { Double($0.bitrate) / Double(bitsPerSecond) }
    let mean = late.reduce(0, +) / Double(max(late.count, 1))
    #expect(mean > 0.7 && mean < 1.05, "\(mean)")
    #expect(sender.line.wait95(from: half) < .milliseconds(150))
    #expect(late.count >= 90 && sender.line.dropCount < 50)
  }

  @Test func `a line that gets narrower is noticed within two seconds, and one that gets wider is used`() {
    var sender = Sender(.init(bitsPerSecond: 2_000_000))
    sender.run(seconds: 60)
    #expect(sender.told.last?.bitrate ?? 0 > 1_200_000)
    sender.line.conditions.bitsPerSecond = 500_000
    sender.run(seconds: 2)
    #expect(sender.told.last?.bitrate ?? 0 < 600_000)
    sender.line.conditions.bitsPerSecond = 2_000_000
    sender.run(seconds: 60)
    #expect(sender.told.last?.bitrate ?? 0 > 1_000_000)
  }

  @Test func `a sender of little is told of half as much again, and no more`() {
    var sender = Sender(.init(bitsPerSecond: 10_000_000))
    sender.run(seconds: 60, production: 400_000)
    let last = Double(sender.told.last?.bitrate ?? 0)
    #expect(last > 500_000 && last < 700_000, "\(last)")
  }

  @Test func `times that make no sense do no harm`() {
    var random = SeededRandom(seed: 4)
    var estimator = ReceiverEstimator()
    var now = MediaInstant(nanoseconds: .max / 2)
    for _ in 0..<100_000 {
      now = now + MediaDuration(nanoseconds: Int64.random(in: 0...20_000_000, using: &random))
      estimator.arrived(
        sendTime: UInt32.random(in: 0...UInt32.max, using: &random),
        byteCount: Int.random(in: 0...1_500, using: &random),
        now: now)
      if let bitrate = estimator.takeDue(now: now) { #expect((50_000...50_000_000).contains(bitrate)) }
    }
    #expect(!ReceiverEstimator().isDue(now: now))
  }
}
