import MediaBase
import SyntheticMedia
import Testing
import VPXCodec

@Suite struct VP8EncoderTests {
  private func encoder(
    _ width: Int = 640, _ height: Int = 360, kilobitsPerSecond: Int = 1_000
  ) throws -> VP8Encoder {
    try VP8Encoder(
      configuration: VP8EncoderConfiguration(
        width: width, height: height, frameRate: 30, bitrateKilobitsPerSecond: kilobitsPerSecond))
  }

  @Test func `decoded pictures look like the originals and keep their times`() throws {
    let pattern = TestPattern(width: 640, height: 360)
    let encoder = try encoder()
    let decoder = try VP8Decoder()
    for index in 0..<60 {
      let time = MediaInstant(nanoseconds: Int64(index) * 33_333_333)
      let picture = pattern.frame(atSeconds: Double(index) / 30, captureTime: time)
      let encoded = try #require(try encoder.encode(picture, timestamp: timestamp(index)))
      #expect(encoded.timestamp == timestamp(index))
      #expect(encoded.captureTime == time)
      #expect(encoded.width == 640)
      #expect(encoded.height == 360)
      let decoded = try #require(try decoder.decode(encoded))
      #expect(decoded.captureTime == time)
      #expect(peakSignalToNoise(picture, decoded) > 32)
      #expect(chromaDifference(picture, decoded) < 4)
    }
  }

  @Test func `key frames come first and on request only`() throws {
    let pattern = TestPattern(width: 320, height: 180)
    let encoder = try encoder(320, 180)
    var keyFrames: [Int] = []
    for index in 0..<300 {
      // A cut in the middle: even that makes no key frame by itself.
      let picture =
        index == 200
        ? noisePicture(width: 320, height: 180, seed: 1)
        : pattern.frame(atSeconds: Double(index) / 30, captureTime: .zero)
      let encoded = try encoder.encode(picture, timestamp: timestamp(index), forceKeyFrame: index == 77 || index == 78)
      if encoded?.isKeyFrame == true { keyFrames.append(index) }
    }
    #expect(keyFrames == [0, 77, 78])
  }

  @Test(arguments: [(1, 1), (2, 2), (17, 33), (161, 91), (641, 359), (640, 2)])
  func `odd sizes go through`(width: Int, height: Int) throws {
    let encoder = try encoder(width, height)
    let decoder = try VP8Decoder()
    for index in 0..<3 {
      let picture = VideoFrame(width: width, height: height)
      picture.planeY.update(repeating: UInt8(90 + 10 * index), count: picture.strideY * height)
      picture.planeU.update(repeating: 100, count: picture.strideUV * picture.chromaHeight)
      picture.planeV.update(repeating: 150, count: picture.strideUV * picture.chromaHeight)
      let encoded = try #require(try encoder.encode(picture, timestamp: timestamp(index)))
      let decoded = try #require(try decoder.decode(encoded))
      #expect(decoded.width == width)
      #expect(decoded.height == height)
      #expect(peakSignalToNoise(picture, decoded) > 30)
      #expect(chromaDifference(picture, decoded) < 6)
    }
  }

  @Test func `a picture of another size is refused`() throws {
    let encoder = try encoder(320, 180)
    let error = thrown { () throws(VPXCodecError) in
      _ = try encoder.encode(VideoFrame(width: 640, height: 360), timestamp: 0)
    }
    #expect(error == .wrongPictureSize(width: 640, height: 360, expectedWidth: 320, expectedHeight: 180))
  }

  @Test(arguments: [(0, 360, 30, 500), (640, 20_000, 30, 500), (640, 360, 0, 500), (640, 360, 30, 0)])
  func `settings that make no sense are refused`(width: Int, height: Int, frameRate: Int, bitrate: Int) {
    #expect(throws: VPXCodecError.self) {
      try VP8Encoder(
        configuration: VP8EncoderConfiguration(
          width: width, height: height, frameRate: frameRate, bitrateKilobitsPerSecond: bitrate))
    }
  }

  @Test func `the bit rate follows its setting`() throws {
    let encoder = try encoder(320, 180, kilobitsPerSecond: 1_500)
    // A pattern that shakes: enough to do at both rates.
    let pattern = TestPattern(width: 320, height: 180)
    var random = SeededRandom(seed: 5)
    func kilobitsPerSecond(from start: Int) throws -> Double {
      var bytes = 0
      for index in start..<(start + 150) {
        let picture = pattern.frame(atSeconds: Double.random(in: 0...100, using: &random), captureTime: .zero)
        let encoded = try encoder.encode(picture, timestamp: timestamp(index))
        // The first second is left for settling.
        if index >= start + 30 { bytes += encoded?.data.count ?? 0 }
      }
      return Double(bytes) * 8 / 1_000 / 4
    }
    let high = try kilobitsPerSecond(from: 0)
    try encoder.setBitrate(kilobitsPerSecond: 300)
    let low = try kilobitsPerSecond(from: 150)
    #expect((700..<2_000).contains(high), "\(high)")
    #expect((100..<420).contains(low), "\(low)")
  }

  @Test func `pictures are left out to keep the bit rate, requested key frames never`() throws {
    let encoder = try encoder(320, 180, kilobitsPerSecond: 50)
    var missing = 0
    for index in 0..<90 {
      let picture = noisePicture(width: 320, height: 180, seed: UInt64(index))
      let isKeyFrame = index % 15 == 0
      let encoded = try encoder.encode(picture, timestamp: timestamp(index), forceKeyFrame: isKeyFrame)
      if encoded == nil { missing += 1 }
      if isKeyFrame { #expect(encoded?.isKeyFrame == true) }
    }
    #expect(missing > 20)
  }

  @Test func `another size starts with a key frame and the decoder follows`() throws {
    let encoder = try encoder(320, 180)
    let decoder = try VP8Decoder()
    for (index, size) in [(320, 180), (640, 360), (161, 91), (320, 180)].enumerated() {
      var changed = encoder.configuration
      (changed.width, changed.height) = size
      try encoder.reconfigure(changed)
      let picture = TestPattern(width: size.0, height: size.1).frame(atSeconds: 1, captureTime: .zero)
      let encoded = try #require(try encoder.encode(picture, timestamp: timestamp(index)))
      #expect(encoded.isKeyFrame)
      let decoded = try #require(try decoder.decode(encoded))
      #expect(peakSignalToNoise(picture, decoded) > 28)
    }
  }

  @Test func `a refused change leaves the encoder as it was`() throws {
    let encoder = try encoder(320, 180)
    #expect(throws: VPXCodecError.self) { try encoder.setBitrate(kilobitsPerSecond: -5) }
    #expect(encoder.configuration.bitrateKilobitsPerSecond == 1_000)
    #expect(try encoder.encode(noisePicture(width: 320, height: 180, seed: 2), timestamp: 0) != nil)
  }

  @Test func `timestamps may wrap, stand still and go back`() throws {
    let encoder = try encoder(320, 180)
    let pattern = TestPattern(width: 320, height: 180)
    for (index, time) in [UInt32.max - 100, 2_900, 2_900, 1_000, 500_000_000, 0].enumerated() {
      let picture = pattern.frame(atSeconds: Double(index) / 30, captureTime: .zero)
      let encoded = try encoder.encode(picture, timestamp: time)
      #expect(encoded?.timestamp == time)
    }
  }

  @Test func `of two temporal layers, the upper one can be left out at any picture`() throws {
    let pattern = TestPattern(width: 320, height: 180)
    var configuration = VP8EncoderConfiguration(width: 320, height: 180, frameRate: 30, bitrateKilobitsPerSecond: 400)
    configuration.temporalLayerCount = 2
    configuration.mayDropFrames = false
    let encoder = try VP8Encoder(configuration: configuration)
    let (whole, base, mixed) = (try VP8Decoder(), try VP8Decoder(), try VP8Decoder())
    var bytes = [0, 0]
    for index in 0..<120 {
      let picture = pattern.frame(atSeconds: Double(index) / 30, captureTime: .zero)
      let encoded = try #require(
        try encoder.encode(picture, timestamp: timestamp(index), forceKeyFrame: index == 0 || index == 51))
      // The pattern begins anew with each key frame.
      let expected = index < 51 ? index % 2 : (index - 51) % 2
      #expect(Int(encoded.temporalID) == expected)
      #expect(encoded.isReference == (expected == 0))
      bytes[expected] += encoded.data.count
      #expect(peakSignalToNoise(picture, try #require(try whole.decode(encoded))) > 30)
      if expected == 0 { #expect(peakSignalToNoise(picture, try #require(try base.decode(encoded))) > 30) }
      if expected == 0 || index % 7 == 3 {
        #expect(peakSignalToNoise(picture, try #require(try mixed.decode(encoded))) > 30)
      }
    }
    #expect(bytes[0] > bytes[1])
  }
}
