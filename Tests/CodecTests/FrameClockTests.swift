import MediaBase
import PictureFiles
import SyntheticMedia
import Testing
import VPXCodec

@Suite struct FrameClockTests {
  private func randomTime(_ random: inout SeededRandom) -> MediaInstant {
    MediaInstant(nanoseconds: Int64.random(in: 0..<(1 << 48), using: &random) * 1_000)
  }

  @Test func `300 times survive VP8 at 300 kb per second and scaling to a quarter`() throws {
    var random = SeededRandom(seed: 11)
    let pattern = TestPattern(width: 640, height: 360)
    let encoder = try VP8Encoder(
      configuration: VP8EncoderConfiguration(width: 640, height: 360, frameRate: 30, bitrateKilobitsPerSecond: 300))
    let decoder = try VP8Decoder()
    let (half, quarter) = (VideoScaler(), VideoScaler())
    var shown = 0
    for index in 0..<300 {
      let time = randomTime(&random)
      let picture = pattern.frame(atSeconds: Double(index) / 30, captureTime: .zero)
      FrameClock.draw(time, on: picture)
      guard let encoded = try encoder.encode(picture, timestamp: timestamp(index)) else { continue }
      let decoded = try #require(try decoder.decode(encoded))
      #expect(FrameClock.read(decoded) == time)
      #expect(FrameClock.read(half.scale(decoded, width: 320, height: 180)) == time)
      #expect(FrameClock.read(quarter.scale(decoded, width: 160, height: 90)) == time)
      shown += 1
    }
    #expect(shown > 280)
  }

  @Test(arguments: [(160, 90), (176, 144), (320, 240), (360, 640), (641, 361), (1_280, 720), (1_920, 1_080)])
  func `times are read at every size and after scaling between them`(width: Int, height: Int) {
    var random = SeededRandom(seed: UInt64(width))
    let scaler = VideoScaler()
    for _ in 0..<20 {
      let time = randomTime(&random)
      let picture = noisePicture(width: width, height: height, seed: 3)
      FrameClock.draw(time, on: picture)
      #expect(FrameClock.read(picture) == time)
      for (toWidth, toHeight) in [(160, 90), (320, 180), (640, 480), (1_920, 1_080)] {
        #expect(FrameClock.read(scaler.scale(picture, width: toWidth, height: toHeight)) == time)
      }
    }
  }

  @Test func `times below a microsecond are rounded down`() {
    let picture = VideoFrame(width: 320, height: 180)
    FrameClock.draw(MediaInstant(nanoseconds: 123_456_789), on: picture)
    #expect(FrameClock.read(picture) == MediaInstant(nanoseconds: 123_456_000))
  }

  @Test func `a damaged clock reads as nothing, never as a wrong time`() {
    var random = SeededRandom(seed: 12)
    for _ in 0..<2_000 {
      let time = randomTime(&random)
      let picture = VideoFrame(width: 320, height: 180)
      FrameClock.draw(time, on: picture)
      // Turns between one and eight of the 80 cells (8x8 pixels each) over.
      var cells = Set<Int>()
      for _ in 0..<Int.random(in: 1...8, using: &random) { cells.insert(Int.random(in: 0..<80, using: &random)) }
      for cell in cells {
        for y in 0..<8 {
          for x in 0..<8 {
            let index = (cell / 40 * 8 + y) * picture.strideY + cell % 40 * 8 + x
            picture.planeY[index] = 251 - picture.planeY[index]
          }
        }
      }
      #expect(FrameClock.read(picture) == nil)
    }
  }

  @Test func `pictures without a clock read as nothing`() {
    for luma: UInt8 in [0, 16, 128, 235, 255] {
      let picture = VideoFrame(width: 640, height: 360)
      picture.planeY.update(repeating: luma, count: picture.strideY * 360)
      #expect(FrameClock.read(picture) == nil)
    }
    for seed in 0..<50 { #expect(FrameClock.read(noisePicture(width: 320, height: 180, seed: UInt64(seed))) == nil) }
    let pattern = TestPattern(width: 640, height: 360)
    #expect(FrameClock.read(pattern.frame(atSeconds: 3, captureTime: .zero)) == nil)
  }

  @Test(arguments: [(1, 1), (2, 300), (79, 44), (300, 2)])
  func `pictures too small for a clock stay as they are`(width: Int, height: Int) {
    let picture = noisePicture(width: width, height: height, seed: 9)
    FrameClock.draw(MediaInstant(nanoseconds: 5_000), on: picture)
    #expect(peakSignalToNoise(picture, noisePicture(width: width, height: height, seed: 9)) == 100)
    #expect(FrameClock.read(picture) == nil)
  }
}
