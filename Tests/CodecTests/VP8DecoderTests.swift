import MediaBase
import Testing
import VPXCodec

@Suite struct VP8DecoderTests {
  @Test func `decoding begins with a key frame`() throws {
    let frames = try encodedPattern(count: 3)
    let decoder = try VP8Decoder()
    #expect(thrown { () throws(VPXCodecError) in _ = try decoder.decode(frames[1]) } == .keyFrameMissing)
    #expect(try decoder.decode(frames[0]) != nil)
    #expect(try decoder.decode(frames[1]) != nil)
  }

  @Test func `after damaged data nothing but a key frame is taken`() throws {
    let frames = try encodedPattern(count: 3)
    let decoder = try VP8Decoder()
    #expect(try decoder.decode(frames[0]) != nil)
    var damaged = frames[1]
    damaged.data = []
    #expect(throws: VPXCodecError.self) { try decoder.decode(damaged) }
    #expect(thrown { () throws(VPXCodecError) in _ = try decoder.decode(frames[2]) } == .keyFrameMissing)
    #expect(try decoder.decode(frames[0]) != nil)
  }

  @Test func `a stream larger than the limit is refused before memory is taken for it`() throws {
    // RFC 6386 section 9.1: a key frame of 16383x16383.
    let data: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F, 0, 0]
    let decoder = try VP8Decoder()
    let error = thrown { () throws(VPXCodecError) in
      _ = try decoder.decode(EncodedVideoFrame(data: data, isKeyFrame: true, timestamp: 0))
    }
    #expect(error == .pictureTooLarge(width: 16_383, height: 16_383))
  }

  @Test func `a key frame that was cut off is reported`() throws {
    let key = try encodedPattern(count: 1)[0]
    for length in [0, 1, 2, 3, 9, 10, 11, 40] {
      var cut = key
      cut.data = Array(key.data.prefix(length))
      let decoder = try VP8Decoder()
      #expect(throws: VPXCodecError.self) { try decoder.decode(cut) }
    }
  }

  @Test(arguments: 0..<8)
  func `whatever the data is, the decoder lives and a key frame heals it`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed) + 100)
    let frames = try encodedPattern(count: 12)
    let decoder = try VP8Decoder()
    for _ in 0..<20 {
      for frame in frames {
        var mutated = frame
        mutate(&mutated.data, using: &random)
        _ = try? decoder.decode(mutated)
      }
    }
    let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
    _ = try? decoder.decode(EncodedVideoFrame(data: noise, isKeyFrame: false, timestamp: 0))
    let healed = try #require(try decoder.decode(frames[0]))
    let fresh = try #require(try VP8Decoder().decode(frames[0]))
    #expect(peakSignalToNoise(healed, fresh) == 100)
  }

  /// Flips bits, cuts, doubles or fills; every fourth time the data stays as it is.
  private func mutate(_ data: inout [UInt8], using random: inout SeededRandom) {
    guard !data.isEmpty else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
    case 2: data.removeLast(Int.random(in: 0..<data.count, using: &random))
    case 3: data.append(contentsOf: data)
    case 4:
      let start = Int.random(in: 0..<data.count, using: &random)
      for index in start..<min(data.count, start + 40) { data[index] = UInt8.random(in: 0...255, using: &random) }
    case 5: data[Int.random(in: 0..<min(data.count, 10), using: &random)] = UInt8.random(in: 0...255, using: &random)
    default: break
    }
  }
}
