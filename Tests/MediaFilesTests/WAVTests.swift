import Foundation
import LinuxIO
import MediaBase
import MediaFiles
import PictureFiles
import Synchronization
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
    #expect(error.map { "\($0)" }?.contains("there is no folder /nowhere") == true)
    #expect(folder.contents.isEmpty)
  }

  @Test func `a recorder writes all it is given, of one channel to both, and says whether it could`() throws {
    let path = folder.path("a.wav")
    let recorder = try WAVRecorder(path: path) { error in Issue.record("\(error)") }
    for index in 0..<100 {
      let isMono = index.isMultiple(of: 2)
      recorder.record(
        AudioFrame(
          samples: Array(repeating: Int16(index), count: isMono ? 480 : 960), channelCount: isMono ? 1 : 2,
          captureTime: .zero))
    }
    #expect(recorder.finish() && recorder.finish() && recorder.droppedFrameCount == 0)
    #expect(try samples(of: path) == (0..<100).flatMap { Array(repeating: Int16($0), count: 960) })
  }

  @Test func `a pipe that nobody reads holds up the recorder's thread and nobody else`() throws {
    let path = folder.path("a.wav")
    try #require(mkfifo(path, 0o600) == 0)
    // Opened for both, so that making the recorder does not wait for a reader; it takes 64 KiB.
    let reader = open(path, O_RDWR)
    try #require(reader >= 0)
    let recorder = try WAVRecorder(path: path) { error in Issue.record("\(error)") }
    let sound = AudioFrame(samples: Array(repeating: 7, count: 960), channelCount: 2, captureTime: .zero)
    let begin = MonotonicClock.now()
    for _ in 0..<1_500 { recorder.record(sound) }
    #expect(MonotonicClock.now() - begin < .milliseconds(5_000))
    // What does not fit into the ten seconds of its queue is left out.
    #expect((400...500).contains(recorder.droppedFrameCount), "\(recorder.droppedFrameCount)")
    let drain = WorkerThread(name: "drain") {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      var left = 44 + (1_500 - recorder.droppedFrameCount) * 1_920
      while left > 0, case let count = read(reader, &bytes, bytes.count), count > 0 { left -= count }
    }
    #expect(recorder.finish())
    drain.join()
    close(reader)
  }

  @Test func `a disk that is full is told once, and no file where there is no folder`() throws {
    let failures = Mutex<[MediaDeviceError]>([])
    let recorder = try WAVRecorder(path: "/dev/full") { error in failures.withLock { $0.append(error) } }
    let sound = AudioFrame(samples: Array(repeating: 7, count: 960), channelCount: 2, captureTime: .zero)
    for _ in 0..<500 { recorder.record(sound) }
    #expect(!recorder.finish())
    let told = failures.withLock { $0 }
    guard told.count == 1, case .system(_, _, ENOSPC, _) = told[0] else {
      Issue.record("\(told)")
      return
    }
    let error = failure { () throws(MediaDeviceError) in _ = try WAVRecorder(path: "/nowhere/a.wav") { _ in } }
    #expect(error.map { "\($0)" }?.contains("there is no folder /nowhere") == true)
  }
}
