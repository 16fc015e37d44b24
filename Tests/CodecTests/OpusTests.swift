import MediaBase
import OpusCodec
import SyntheticMedia
import Testing

@Suite struct OpusTests {
  @Test(arguments: [ToneSignal.speech(seed: 4), .sine(frequency: 440)], [1, 2])
  func `sound comes back alike`(signal: ToneSignal, channelCount: Int) throws {
    let encoder = try OpusEncoder(channelCount: channelCount, bitrateBitsPerSecond: 64_000, application: .audio)
    let decoder = try OpusDecoder(channelCount: channelCount)
    let input = pieces(of: signal, count: 100, channelCount: channelCount)
    let output = try input.map { try decoder.decode(try encoder.encode($0)) }
    #expect(output.allSatisfy { $0.count == 960 * channelCount })
    let delay = encoder.lookaheadSampleCount * channelCount
    let (before, after) = (input.flatMap(\.self), output.flatMap(\.self))
    // The first 100 ms are left for settling.
    let start = 4_800 * channelCount
    let (a, b) = (before[start..<(before.count - delay)], after[(start + delay)...])
    #expect(correlation(a, b) > 0.9)
    #expect((0.8..<1.25).contains(loudness(b) / loudness(a)))
  }

  @Test func `packets keep to the bit rate and to one datagram`() throws {
    let encoder = try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: 32_000)
    let speech = pieces(of: .speech(seed: 2), count: 250)
    let slow = try speech.map { try encoder.encode($0).count }
    try encoder.setBitrate(bitsPerSecond: 440_000)
    let fast = try speech.map { try encoder.encode($0).count }
    // 5 s: at most 20 kB with a tenth to spare.
    #expect(slow.reduce(0, +) < 22_000)
    #expect(fast.reduce(0, +) > 60_000)
    #expect(fast.allSatisfy { $0 <= OpusEncoder.largestPacket })
  }

  @Test func `a lost packet is brought back from the one after it`() throws {
    let encoder = try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: 32_000, expectedLossPercent: 25)
    let input = pieces(of: .speech(seed: 6), count: 200)
    let packets = try input.map { try encoder.encode($0) }
    let (whole, repaired, invented) = (
      try OpusDecoder(channelCount: 1), try OpusDecoder(channelCount: 1), try OpusDecoder(channelCount: 1)
    )
    var (likenessRepaired, likenessInvented, loud) = (0.0, 0.0, 0)
    for index in packets.indices {
      let truth = try whole.decode(packets[index])
      let isLost = index % 8 == 5
      guard isLost, index + 1 < packets.count else {
        _ = try repaired.decode(packets[index])
        _ = try invented.decode(packets[index])
        continue
      }
      let (again, made) = (
        try repaired.decodeFEC(packets[index + 1], sampleCount: 960), try invented.conceal(sampleCount: 960)
      )
      #expect(again.count == 960)
      #expect(made.count == 960)
      guard loudness(truth) > 300 else { continue }
      likenessRepaired += correlation(truth[...], again[...])
      likenessInvented += correlation(truth[...], made[...])
      loud += 1
    }
    #expect(loud > 8)
    #expect(likenessRepaired / Double(loud) > 0.6)
    #expect(likenessRepaired > likenessInvented)
  }

  @Test func `concealment goes on and fades`() throws {
    let encoder = try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: 32_000)
    let decoder = try OpusDecoder(channelCount: 1)
    for piece in pieces(of: .sine(frequency: 300), count: 20) { _ = try decoder.decode(try encoder.encode(piece)) }
    let first = try decoder.conceal(sampleCount: 480)
    #expect(first.count == 480)
    #expect(loudness(first) > 1_000)
    var last = first
    for _ in 0..<100 { last = try decoder.conceal(sampleCount: 480) }
    #expect(loudness(last) < loudness(first) / 4)
  }

  @Test func `silence takes almost nothing with discontinuous transmission`() throws {
    let encoder = try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: 32_000)
    try encoder.setDiscontinuousTransmission(true)
    let sizes = try pieces(of: .silence, count: 100).map { try encoder.encode($0).count }
    #expect(sizes.suffix(50).filter { $0 <= 2 }.count > 40)
  }

  @Test(arguments: [0, 1, 100, 481, 5_760])
  func `pieces of a wrong length are refused`(count: Int) throws {
    let encoder = try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: 32_000)
    #expect(throws: OpusCodecError.wrongSampleCount(count)) {
      try encoder.encode([Int16](repeating: 0, count: count))
    }
  }

  @Test func `lengths that cannot be concealed are refused`() throws {
    let decoder = try OpusDecoder(channelCount: 1)
    for count in [Int.min, -960, 0, 100, 5_880, Int.max] {
      #expect(throws: OpusCodecError.wrongSampleCount(count)) { try decoder.conceal(sampleCount: count) }
    }
    #expect(throws: OpusCodecError.damagedPacket(byteCount: 0)) { try decoder.decode([]) }
    #expect(throws: OpusCodecError.damagedPacket(byteCount: 0)) { try decoder.decodeFEC([]) }
  }

  @Test func `settings that make no sense are refused`() throws {
    #expect(throws: OpusCodecError.self) { try OpusEncoder(channelCount: 3, bitrateBitsPerSecond: 32_000) }
    #expect(throws: OpusCodecError.self) { try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: .max) }
    #expect(throws: OpusCodecError.self) { try OpusDecoder(channelCount: 0) }
    let encoder = try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: 32_000)
    #expect(throws: OpusCodecError.self) { try encoder.setComplexity(11) }
    #expect(throws: OpusCodecError.self) { try encoder.setExpectedLoss(percent: -1) }
  }

  @Test(arguments: 0..<4)
  func `whatever a packet holds, the decoder lives`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let decoder = try OpusDecoder(channelCount: seed % 2 + 1)
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...400, using: &random)
      let packet = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if let samples = try? decoder.decode(packet) { #expect(samples.count <= 5_760 * decoder.channelCount) }
      _ = try? decoder.decodeFEC(packet)
    }
    let encoder = try OpusEncoder(channelCount: 1, bitrateBitsPerSecond: 32_000)
    #expect(
      try decoder.decode(try encoder.encode(pieces(of: .speech(seed: 1), count: 1)[0])).count == 960
        * decoder.channelCount)
  }
}
