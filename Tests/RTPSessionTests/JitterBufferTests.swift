import MediaBase
import Testing

@testable import RTPSession

/// A sender, a network and a playout around a jitter buffer, on a virtual clock.
struct PlayoutBench {
  var buffer = AudioJitterBuffer()
  var random: SeededRandom
  /// Ticks of the sender's clock per tick of the playout's.
  var senderRate = 1.0
  var loss = 0.0
  /// The playout's step.
  var step = MediaDuration.milliseconds(10)
  /// How long a packet takes at a time; added to a fixed delay.
  var jitter: (_ time: MediaDuration, _ random: inout SeededRandom) -> MediaDuration = { _, _ in .zero }
  var level: UInt8? = nil
  var firstTimestamp: UInt32 = 0
  var firstNumber: UInt16 = 0

  private(set) var played: [(time: MediaDuration, number: Int)] = []
  private(set) var concealed: [(time: MediaDuration, sampleCount: Int)] = []
  private(set) var recovered = 0
  private(set) var silent = 0
  /// From sending to playing, of each packet.
  private(set) var delays: [MediaDuration] = []

  private var sent = 0
  private var flying: [(arrival: MediaDuration, packet: ReceivedAudioPacket)] = []
  private var sentAt: [UInt16: (time: MediaDuration, index: Int)] = [:]
  private var time = MediaDuration.zero
  private var samplesLeft = 0
  private let origin = MediaInstant(nanoseconds: 1_000_000_000_000)

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  static func packet(_ number: UInt16, _ timestamp: UInt32, level: UInt8? = nil) -> ReceivedAudioPacket {
    // 20 ms of CELT: configuration 31, one frame.
    ReceivedAudioPacket(payload: [0xF8, 1, 2, 3], sequenceNumber: number, timestamp: timestamp, level: level)
  }

  /// Sends 20 ms packets, and plays, for `duration`. `speaks` says whether there is sound at a time.
  mutating func run(for duration: MediaDuration, speaks: (MediaDuration) -> Bool = { _ in true }) {
    let end = time + duration
    while time < end {
      send(speaks)
      for (arrival, packet) in flying.filter({ $0.arrival <= time }).sorted(by: { $0.arrival < $1.arrival }) {
        buffer.insert(packet, now: origin + arrival)
      }
      flying.removeAll { $0.arrival <= time }
      play()
      time = time + step
    }
  }

  private mutating func send(_ speaks: (MediaDuration) -> Bool) {
    while true {
      let sendTime = MediaDuration.seconds(Double(sent) * 0.02 / senderRate)
      guard sendTime <= time else { return }
      defer { sent += 1 }
      guard speaks(sendTime) else { continue }
      let number = firstNumber &+ UInt16(truncatingIfNeeded: numbered)
      numbered += 1
      let timestamp = firstTimestamp &+ UInt32(truncatingIfNeeded: sent &* 960)
      sentAt[number] = (sendTime, sent)
      guard Double.random(in: 0..<1, using: &random) >= loss else { continue }
      let delay = MediaDuration.milliseconds(30) + jitter(sendTime, &random)
      flying.append((sendTime + delay, Self.packet(number, timestamp, level: level)))
    }
  }
  private var numbered = 0

  private mutating func play() {
    samplesLeft -= Int(step.milliseconds * 48)
    while samplesLeft < 0 {
      switch buffer.pull(now: origin + time) {
      case .packet(let packet):
        samplesLeft += 960
        guard let (sendTime, index) = sentAt[packet.sequenceNumber] else { continue }
        played.append((time, index))
        delays.append(time - sendTime)
      case .conceal(let sampleCount, let recovery):
        samplesLeft += sampleCount
        concealed.append((time, sampleCount))
        if recovery != nil { recovered += 1 }
      case .silence(let sampleCount):
        samplesLeft += sampleCount
        silent += 1
      }
    }
  }

  func delays(from start: MediaDuration) -> [MediaDuration] {
    zip(played, delays).filter { $0.0.time >= start }.map(\.1)
  }

  var concealedSamples: Int { concealed.reduce(0) { $0 + $1.sampleCount } }
}

@Suite struct JitterBufferTests {
  static let minute = MediaDuration.seconds(60 as Int64)

  @Test(arguments: [10, 20] as [Int64]) func onAnEvenNetworkEverythingIsPlayedSoon(step: Int64) {
    var bench = PlayoutBench(seed: 1)
    bench.step = .milliseconds(step)
    bench.run(for: .seconds(20 as Int64))
    #expect(bench.concealed.isEmpty)
    #expect(bench.played.map(\.number) == Array(0..<bench.played.count))
    #expect(bench.played.count >= 995)
    // 30 ms on the way, the rest in the buffer.
    #expect(bench.delays.allSatisfy { $0 <= .milliseconds(30 + 30 + step) })
    #expect(bench.buffer.targetDelay == AudioJitterBuffer.minimumDelay)
  }

  @Test(arguments: 0..<10 as Range<UInt64>) func jitterIsAbsorbedAndTheDelayIsNoLongerThanItAsksFor(seed: UInt64) {
    var bench = PlayoutBench(seed: seed)
    bench.jitter = { _, random in .microseconds(.random(in: 0...60_000, using: &random)) }
    bench.run(for: Self.minute)
    let late = bench.buffer.statistics.packetsLate
    #expect(late <= 30, "of 3,000")
    // 1 % after the first seconds.
    let concealed = bench.concealed.filter { $0.time > .seconds(5 as Int64) }.reduce(0) { $0 + $1.sampleCount }
    #expect(concealed < 55 * 480)
    #expect(bench.buffer.targetDelay >= .milliseconds(50) && bench.buffer.targetDelay <= .milliseconds(80))
    #expect(bench.delays.allSatisfy { $0 <= .milliseconds(30 + 80 + 60) })
  }

  @Test(arguments: [0.9990, 0.9999, 1.0001, 1.0010]) func clocksThatDriftApartNeitherStarveNorFillTheBuffer(
    rate: Double
  ) {
    var bench = PlayoutBench(seed: 2)
    bench.senderRate = rate
    bench.jitter = { _, random in .microseconds(.random(in: 0...10_000, using: &random)) }
    bench.run(for: .seconds(300 as Int64))
    let delays = bench.delays(from: .seconds(10 as Int64))
    #expect(delays.allSatisfy { $0 <= .milliseconds(120) && $0 >= .milliseconds(30) })
    let off = Int(abs(rate - 1) * 300 * 48_000)
    #expect(bench.concealedSamples < off * 3 / 2 + 4_800)
    #expect(bench.buffer.statistics.packetsSkipped * 960 < off * 3 / 2 + 4_800)
    #expect(bench.buffer.bufferedDuration <= .milliseconds(120))
  }

  @Test(arguments: 1...20) func aLostPacketIsConcealedOnceWithTheCopyInTheNextIfThatIsThere(percent: Int) {
    var bench = PlayoutBench(seed: UInt64(percent))
    bench.loss = Double(percent) / 100
    bench.run(for: Self.minute)
    let lost = 3_000 - bench.buffer.statistics.packetsReceived
    #expect(bench.concealedSamples >= lost * 960 - 9_600)
    #expect(bench.concealedSamples <= lost * 960 * 5 / 4 + 9_600)
    #expect(bench.recovered > lost / 3)
    #expect(bench.delays.allSatisfy { $0 <= .milliseconds(100) })
    #expect(bench.buffer.statistics.packetsSkipped * 4 <= lost)
    let numbers = bench.played.map(\.number)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func aLastingChangeOfTheWayIsFollowedInBothDirections() {
    var bench = PlayoutBench(seed: 3)
    bench.jitter = { time, _ in
      time > .seconds(20 as Int64) && time < .seconds(40 as Int64) ? .milliseconds(150) : .zero
    }
    bench.run(for: Self.minute)
    let before = bench.delays(from: .seconds(15 as Int64)).first ?? .zero
    let during = bench.delays(from: .seconds(35 as Int64)).first ?? .zero
    let after = bench.delays.last ?? .zero
    #expect(during - before >= .milliseconds(110) && during - before <= .milliseconds(190))
    #expect(abs((after - before).milliseconds) <= 40)
    // The change itself, and little more.
    #expect(bench.concealedSamples <= 48 * 260)
  }

  @Test func aStallOfOneSecondIsForgottenAfterwards() {
    var bench = PlayoutBench(seed: 4)
    // What was sent during the stall comes all at once at its end.
    bench.jitter = { time, _ in
      time >= .seconds(10 as Int64) && time < .seconds(11 as Int64) ? .seconds(11 as Int64) - time : .zero
    }
    bench.run(for: Self.minute)
    #expect(bench.delays.allSatisfy { $0 <= .milliseconds(1_100) })
    #expect(bench.delays(from: .seconds(12 as Int64)).allSatisfy { $0 <= .milliseconds(30 + 400 + 60) })
    #expect(bench.delays(from: .seconds(30 as Int64)).allSatisfy { $0 <= .milliseconds(30 + 60) })
  }

  @Test func silenceOfTheSenderIsSilenceAndTheDelayStaysThroughAHundredSpurts() {
    var bench = PlayoutBench(seed: 5)
    bench.run(for: .seconds(300 as Int64)) { time in time.milliseconds % 3_000 < 1_000 }
    #expect(bench.played.count == 100 * 50)
    // The end of a spurt cannot be told from a loss at first.
    #expect(bench.concealedSamples <= 100 * AudioJitterBuffer.longestConcealment)
    #expect(bench.silent > 100 * 150)
    #expect(bench.delays.allSatisfy { $0 <= .milliseconds(80) })
  }

  @Test func quietPacketsAreLeftOutFirst() {
    var bench = PlayoutBench(seed: 6)
    bench.senderRate = 1.001
    bench.level = 127
    bench.run(for: Self.minute)
    let quiet = bench.delays(from: .seconds(10 as Int64)).max() ?? .zero
    bench = PlayoutBench(seed: 6)
    bench.senderRate = 1.001
    bench.level = 10
    bench.run(for: Self.minute)
    let loud = bench.delays(from: .seconds(10 as Int64)).max() ?? .zero
    #expect(quiet < loud)
  }

  @Test func numbersAndTimestampsMayWrap() {
    var bench = PlayoutBench(seed: 7)
    bench.firstNumber = 65_000
    bench.firstTimestamp = 0xFFFF_FFFF - 500 * 960
    bench.run(for: Self.minute)
    #expect(bench.concealed.isEmpty)
    #expect(bench.played.map(\.number) == Array(0..<bench.played.count))
  }

  @Test func aPlayoutThatStoodStillGoesOnWithTheNewest() {
    var buffer = AudioJitterBuffer()
    let origin = MediaInstant(nanoseconds: 9_000_000_000)
    for index in 0..<1_000 {
      buffer.insert(
        PlayoutBench.packet(UInt16(index), UInt32(index) * 960), now: origin + .milliseconds(Int64(index) * 20))
    }
    #expect(buffer.entries.count == AudioJitterBuffer.capacity)
    let now = origin + .milliseconds(20_000)
    guard case .packet(let packet) = buffer.pull(now: now) else {
      Issue.record("nothing to play")
      return
    }
    #expect(packet.sequenceNumber >= 995)
  }

  @Test func aSenderThatBeginsAnewIsPlayedSoon() {
    for (number, timestamp) in [(40_000, 7), (3, 0x8000_0000), (60_000, 0)] as [(UInt16, UInt32)] {
      var buffer = AudioJitterBuffer()
      var now = MediaInstant(nanoseconds: 5_000_000_000)
      var lastPlayed: UInt32?
      for index in 0..<100 as Range<UInt32> {
        let isNew = index >= 50
        let packet =
          isNew
          ? PlayoutBench.packet(number &+ UInt16(index - 50), timestamp &+ (index - 50) * 960)
          : PlayoutBench.packet(UInt16(index), 0x4000_0000 + index * 960)
        buffer.insert(packet, now: now)
        if case .packet(let packet) = buffer.pull(now: now) { lastPlayed = packet.timestamp }
        now = now + .milliseconds(20)
      }
      #expect(buffer.statistics.restarts == 1)
      #expect(lastPlayed.map { $0 &- timestamp >= 45 * 960 && $0 &- timestamp < 50 * 960 } == true)
    }
  }

  @Test func whatIsNoOpusPacketIsRefused() {
    var buffer = AudioJitterBuffer()
    buffer.insert(ReceivedAudioPacket(payload: [], sequenceNumber: 1, timestamp: 0), now: .zero)
    buffer.insert(ReceivedAudioPacket(payload: [0xFF, 0], sequenceNumber: 2, timestamp: 960), now: .zero)
    #expect(buffer.statistics.packetsRefused == 2)
    #expect(buffer.pull(now: .zero) == .silence(sampleCount: 480))
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func randomPacketsNeverTrapAndEveryPullIsOfAUsefulLength(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var buffer = AudioJitterBuffer()
    var now = MediaInstant(nanoseconds: Int64.random(in: 0...1 &<< 60, using: &random))
    var number: UInt16 = 0
    var timestamp: UInt32 = 0
    for _ in 0..<2_000 {
      let isWild = Int.random(in: 0..<20, using: &random) == 0
      number &+= isWild ? .random(in: 0...65_535, using: &random) : .random(in: 0...2, using: &random)
      timestamp &+= isWild ? .random(in: 0...UInt32.max, using: &random) : .random(in: 0...2_000, using: &random)
      let payload = (0..<Int.random(in: 0...4, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      buffer.insert(ReceivedAudioPacket(payload: payload, sequenceNumber: number, timestamp: timestamp), now: now)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        switch buffer.pull(now: now) {
        case .packet(let packet): #expect(!packet.payload.isEmpty)
        case .conceal(let sampleCount, _), .silence(let sampleCount):
          #expect((120...5_760).contains(sampleCount) && sampleCount % 120 == 0)
        }
      }
      #expect(buffer.entries.count <= AudioJitterBuffer.capacity)
      now = now + .microseconds(.random(in: 0...40_000, using: &random))
    }
  }
}
