import Foundation
import MediaBase
import MediaFiles
import PictureFiles
import TestSupport
import Testing

/// WAV files as another program reads them.
@Suite(.ownThread) struct WAVTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func samples(of path: String) throws -> [Int16] {
    let raw = folder.path("raw")
    try FFmpegProgram.run(["-i", path, "-f", "s16le", raw])
    return try folder.bytes("raw").withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
  }

  @Test(arguments: [1, 2], [8_000, 44_100, 48_000])
  func `sound comes back exactly`(channelCount: Int, sampleRate: Int) throws {
    var random = SeededRandom(seed: 3)
    let written = (0..<(3_000 * channelCount)).map { _ in Int16.random(in: .min ... .max, using: &random) }
    let path = folder.path("a.wav")
    let writer = try WAVWriter(path: path, sampleRate: sampleRate, channelCount: channelCount)
    try writer.write(Array(written.prefix(1_000)))
    try writer.write(Array(written.dropFirst(1_000)))
    try writer.close()
    #expect(try samples(of: path) == written)
    let format = try FFmpegProgram.probe(path, "stream=sample_rate,channels")
    #expect(format == ["sample_rate=\(sampleRate)", "channels=\(channelCount)"])
  }

  @Test func `a writer that goes completes its file`() throws {
    do {
      let writer = try WAVWriter(path: folder.path("a.wav"))
      try writer.write([1, 2, 3])
    }
    #expect(try samples(of: folder.path("a.wav")) == [1, 2, 3])
  }

  @Test func `a file that was not closed lacks its last second at most for who believes its header`() throws {
    let path = folder.path("a.wav")
    let writer = try WAVWriter(path: path, sampleRate: 8_000)
    for second in 0..<5 { try writer.write(Array(repeating: Int16(second), count: 7_900)) }
    // Not closed: what a crash leaves behind.
    let bytes = try folder.bytes("a.wav")
    let told = bytes[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(told >= (5 * 7_900 - 8_000) * 2 && bytes.count >= 44 + told, "\(told) of \(bytes.count)")
    #expect(try samples(of: try folder.file("cut.wav", bytes)).count >= told / 2)
    try writer.close()
    #expect(try samples(of: path) == (0..<5).flatMap { Array(repeating: Int16($0), count: 7_900) })
  }

  @Test func `formats that cannot be written and folders that are not there are told`() {
    let path = folder.path("a.wav")
    for (rate, channels) in [(7_999, 1), (192_001, 1), (48_000, 0), (48_000, 3)] {
      let error = failure { () throws(MediaDeviceError) in
        _ = try WAVWriter(path: path, sampleRate: rate, channelCount: channels)
      }
      #expect(isUnsupported(error, saying: "cannot be written"))
    }
    let error = failure { () throws(MediaDeviceError) in _ = try WAVWriter(path: "/nowhere/a.wav") }
    #expect(error == .notFound(name: "/nowhere/a.wav"))
    #expect(folder.contents.isEmpty)
  }
}
