import MediaBase
import PictureFiles
import Testing

@Suite struct Y4MTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func write(_ name: String, _ pictures: [VideoFrame], frameRate: Int = 30) throws -> String {
    let path = folder.path(name)
    let writer = try Y4MWriter(
      path: path, width: pictures[0].width, height: pictures[0].height, frameRate: frameRate)
    for picture in pictures { try writer.write(picture) }
    try writer.close()
    return path
  }

  @Test(arguments: [(1, 1), (17, 33), (640, 360), (64, 2), (161, 91)])
  func `pictures come back exactly`(width: Int, height: Int) throws {
    let originals = (0..<4).map { (index: UInt8) in
      flatPicture(width, height, y: 40 + index, u: 90 + index, v: 160 + index)
    }
    let reader = try Y4MReader(path: write("a.y4m", originals, frameRate: 25))
    #expect(reader.header.width == width)
    #expect(reader.header.height == height)
    #expect(reader.header.frameRateNumerator == 25)
    #expect(reader.header.frameRateDenominator == 1)
    for original in originals {
      let again = try #require(try reader.next(captureTime: MediaInstant(nanoseconds: 7)))
      #expect(largestDifference(original, again) == 0)
      #expect(again.captureTime == MediaInstant(nanoseconds: 7))
    }
    #expect(try reader.next() == nil)
    try reader.rewind()
    #expect(try reader.skip())
    #expect(largestDifference(originals[1], try #require(try reader.next())) == 0)
  }

  @Test func `a picture of another size is not written`() throws {
    let writer = try Y4MWriter(path: folder.path("a.y4m"), width: 64, height: 64, frameRate: 30)
    let error = failure { () throws(MediaDeviceError) in try writer.write(flatPicture(32, 32, y: 50)) }
    #expect(isUnsupported(error, saying: "32x32"))
  }

  @Test func `a file cut at any place gives whole pictures, then an error`() throws {
    let bytes = try {
      _ = try write("a.y4m", [flatPicture(6, 4, y: 50), flatPicture(6, 4, y: 60)])
      return try folder.bytes("a.y4m")
    }()
    let pictureSize = 6 + 36
    let headerSize = bytes.count - 2 * pictureSize
    for count in headerSize..<bytes.count {
      let reader = try Y4MReader(path: try folder.file("cut.y4m", Array(bytes.prefix(count))))
      let whole = (count - headerSize) / pictureSize
      for _ in 0..<whole { #expect(try reader.next() != nil) }
      let isAtEdge = (count - headerSize) % pictureSize == 0
      let error = failure { () throws(MediaDeviceError) in _ = try reader.next() }
      #expect(isAtEdge ? error == nil : isUnsupported(error, saying: "middle of a picture"), "\(count)")
      try reader.rewind()
      for _ in 0..<whole { #expect(try reader.skip()) }
      let skipError = failure { () throws(MediaDeviceError) in _ = try reader.skip() }
      #expect(isAtEdge == (skipError == nil), "\(count)")
    }
  }

  @Test(arguments: [
    ("YUV4MPEG2 W640 H360 F30:1 Ip A1:1 C420jpeg XCOMMENT=a b", 640, 360, 30, 1),
    ("YUV4MPEG2 W1 H16384 F30000:1001", 1, 16_384, 30_000, 1_001),
    ("YUV4MPEG2 H2 W4 F0:0 C420mpeg2", 4, 2, 25, 1),
    ("YUV4MPEG2  W4   H2", 4, 2, 25, 1),
  ])
  func `headers are read`(line: String, width: Int, height: Int, numerator: Int, denominator: Int) throws {
    let header = try Y4MHeader(parsing: Array(line.utf8))
    #expect([header.width, header.height] == [width, height])
    #expect([header.frameRateNumerator, header.frameRateDenominator] == [numerator, denominator])
  }

  @Test(arguments: [
    "", " ", "RIFF", "YUV4MPEG", "YUV4MPEG2", "YUV4MPEG2 W640", "YUV4MPEG2 W0 H360", "YUV4MPEG2 W16385 H2",
    "YUV4MPEG2 W-4 H2", "YUV4MPEG2 W99999999999999999999 H2", "YUV4MPEG2 W4 H2 F1:0", "YUV4MPEG2 W4 H2 F",
    "YUV4MPEG2 W H",
    "YUV4MPEG2 W4 H2 F30", "YUV4MPEG2 W4 H2 F1:2:3", "YUV4MPEG2 W4 H2 F9999999:1", "YUV4MPEG2 W4 H2 F100000:1",
    "YUV4MPEG2 W4 H2 C444", "YUV4MPEG2 W4 H2 C420p10", "YUV4MPEG2 W4x H2",
  ])
  func `headers that make no sense are refused`(line: String) {
    #expect(throws: MediaFormatError.self) { try Y4MHeader(parsing: Array(line.utf8)) }
  }

  @Test(arguments: 0..<4)
  func `any bytes may stand in a header or a file`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let line = Array("YUV4MPEG2 W640 H360 F30:1 C420jpeg".utf8)
    _ = try write("a.y4m", [flatPicture(6, 4, y: 50), flatPicture(6, 4, y: 60)])
    let file = try folder.bytes("a.y4m")
    for _ in 0..<500 {
      var mutated = line
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        mutated[Int.random(in: 0..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let header = try? Y4MHeader(parsing: mutated) { #expect(header.width <= 16_384 && header.height <= 16_384) }
    }
    for _ in 0..<50 {
      var mutated = file
      mutated[Int.random(in: 0..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      let path = try folder.file("b.y4m", mutated)
      guard let reader = try? Y4MReader(path: path) else { continue }
      while let picture = try? reader.next() { #expect(picture.width == reader.header.width) }
    }
  }

  @Test func `files that are none are named with the reason`() throws {
    let missing = failure { () throws(MediaDeviceError) in _ = try Y4MReader(path: "/nowhere.y4m") }
    #expect(missing == .notFound(name: "/nowhere.y4m"))
    #expect(failure { () throws(MediaDeviceError) in _ = try Y4MReader(path: "/tmp") } != nil)
    for bytes in [[], Array("hello\n".utf8), [UInt8](repeating: 65, count: 5_000), [0, 1, 2, 10]] {
      let path = try folder.file("bad.y4m", bytes)
      let error = failure { () throws(MediaDeviceError) in _ = try Y4MReader(path: path) }
      #expect(isUnsupported(error, saying: "not a Y4M file"))
    }
    let path = try folder.file("c.y4m", Array("YUV4MPEG2 W2 H2 F30:1\nPICTURE\n123456".utf8))
    let reader = try Y4MReader(path: path)
    #expect(isUnsupported(failure { () throws(MediaDeviceError) in _ = try reader.next() }, saying: "damaged"))
  }
}
