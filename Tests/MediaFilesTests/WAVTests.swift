import Foundation
import MediaBase
import MediaFiles
import PictureFiles
import Testing

@Suite struct WAVTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test(arguments: [1, 2], [8_000, 44_100, 48_000])
  func `sound comes back exactly`(channelCount: Int, sampleRate: Int) throws {
    var random = SeededRandom(seed: 3)
    let samples = (0..<(3_000 * channelCount)).map { _ in Int16.random(in: .min ... .max, using: &random) }
    let path = folder.path("a.wav")
    let writer = try WAVWriter(path: path, sampleRate: sampleRate, channelCount: channelCount)
    try writer.write(Array(samples.prefix(1_000)))
    try writer.write(Array(samples.dropFirst(1_000)))
    try writer.close()
    let reader = try WAVReader(path: path)
    #expect(reader.header.channelCount == channelCount)
    #expect(reader.header.sampleRate == sampleRate)
    #expect(try reader.next(frameCount: 2_000) + reader.next(frameCount: 5_000) == samples)
    #expect(try reader.next(frameCount: 1) == [])
    try reader.rewind()
    #expect(try reader.next(frameCount: 1) == Array(samples.prefix(channelCount)))
  }

  @Test func `a writer that goes completes its file`() throws {
    do {
      let writer = try WAVWriter(path: folder.path("a.wav"))
      try writer.write([1, 2, 3])
    }
    #expect(try WAVReader(path: folder.path("a.wav")).next(frameCount: 10) == [1, 2, 3])
  }

  /// A WAV file from its parts.
  private func bytes(
    format: UInt16 = 1, channelCount: UInt16 = 1, sampleRate: UInt32 = 48_000, bits: UInt16 = 16,
    formatSize: UInt32 = 16,
    before: [UInt8] = [], dataSize: UInt32 = 8, samples: [UInt8] = [1, 0, 2, 0, 3, 0, 4, 0]
  ) -> [UInt8] {
    func little(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    return Array("RIFF".utf8) + little(UInt32(0)) + Array("WAVE".utf8) + before + Array("fmt ".utf8)
      + little(formatSize)
      + little(format) + little(channelCount) + little(sampleRate) + little(UInt32(0)) + little(UInt16(2))
      + little(bits)
      + Array("data".utf8) + little(dataSize) + samples
  }

  @Test func `chunks before the sound are passed over, odd ones with their filling`() throws {
    let list: [UInt8] = Array("LIST".utf8) + [3, 0, 0, 0, 9, 9, 9, 0]
    let reader = try WAVReader(path: folder.file("a.wav", bytes(before: list)))
    #expect(try reader.next(frameCount: 10) == [1, 2, 3, 4])
  }

  @Test(arguments: [0, 0xFFFF_FFFF] as [UInt32])
  func `sound of unknown length goes to the end of the file`(size: UInt32) throws {
    let reader = try WAVReader(path: folder.file("a.wav", bytes(dataSize: size)))
    #expect(try reader.next(frameCount: 10) == [1, 2, 3, 4])
  }

  @Test func `a file shorter than its header says ends early`() throws {
    let reader = try WAVReader(path: folder.file("a.wav", bytes(dataSize: 5_000, samples: [1, 0, 2, 0, 3])))
    #expect(try reader.next(frameCount: 10) == [1, 2])
    #expect(try reader.next(frameCount: 10) == [])
  }

  @Test func `files that cannot be played are refused with the reason`() throws {
    func error(_ bytes: [UInt8]) throws -> MediaDeviceError? {
      let path = try folder.file("bad.wav", bytes)
      return failure { () throws(MediaDeviceError) in _ = try WAVReader(path: path) }
    }
    #expect(isUnsupported(try error([]), saying: "not a WAV file"))
    #expect(isUnsupported(try error(Array("YUV4MPEG2 W2 H2\n".utf8)), saying: "not a WAV file"))
    #expect(isUnsupported(try error(bytes(format: 3)), saying: "16-bit PCM"))
    #expect(isUnsupported(try error(bytes(bits: 24)), saying: "16-bit PCM"))
    #expect(isUnsupported(try error(bytes(channelCount: 0)), saying: "0 channels"))
    #expect(isUnsupported(try error(bytes(channelCount: 6)), saying: "6 channels"))
    #expect(isUnsupported(try error(bytes(sampleRate: 1)), saying: "1 Hz"))
    #expect(isUnsupported(try error(bytes(sampleRate: .max)), saying: "Hz"))
    #expect(isUnsupported(try error(bytes(formatSize: 2)), saying: "damaged"))
    #expect(isUnsupported(try error(bytes(formatSize: .max)), saying: "damaged"))
    #expect(isUnsupported(try error(Array(bytes().prefix(40))), saying: "no sound"))
    let missing = failure { () throws(MediaDeviceError) in _ = try WAVReader(path: "/nowhere.wav") }
    #expect(missing == .notFound(name: "/nowhere.wav"))
  }

  @Test func `any bytes may stand in a header`() throws {
    var random = SeededRandom(seed: 8)
    let whole = bytes()
    for _ in 0..<5_000 {
      var mutated = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutated[Int.random(in: 0..<mutated.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      mutated.removeLast(
        Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0..<mutated.count, using: &random) : 0)
      if let header = try? WAVHeader(parsing: mutated) { #expect((1...2).contains(header.channelCount)) }
    }
  }

  @Test func `sizes that cannot be written are refused`() {
    #expect(throws: MediaDeviceError.self) { try WAVWriter(path: folder.path("a.wav"), sampleRate: 1) }
    #expect(throws: MediaDeviceError.self) { try WAVWriter(path: folder.path("a.wav"), channelCount: 3) }
    #expect(throws: MediaDeviceError.self) { try WAVWriter(path: "/nowhere/a.wav") }
  }
}
