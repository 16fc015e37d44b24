import MediaBase
import MediaFiles
import PictureFiles
import Synchronization
import SyntheticMedia
import Testing

@Suite struct FileSourceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test func `a film is played with a clock on it until it is stopped`() async throws {
    let path = folder.path("a.y4m")
    let writer = try Y4MWriter(path: path, width: 160, height: 90, frameRate: 100)
    for index in 0..<3 { try writer.write(picture(160, 90, atSeconds: Double(index))) }
    try writer.close()
    let source = Y4MFileSource(path: path, burnsClock: true)
    let seen = Mutex<[(captureTime: MediaInstant, clock: MediaInstant?)]>([])
    try source.start(
      format: VideoCaptureFormat(width: 320, height: 180, frameRate: 200),
      sink: { frame in seen.withLock { $0.append((frame.captureTime, FrameClock.read(frame))) } },
      onFailure: { Issue.record($0) })
    while seen.withLock({ $0.count }) < 8 { try await Task.sleep(for: .milliseconds(5)) }
    source.stop()
    source.stop()
    let frames = seen.withLock { $0 }
    for frame in frames {
      let clock = try #require(frame.clock)
      #expect((.zero ..< .microseconds(1)).contains(frame.captureTime - clock))
    }
    try await Task.sleep(for: .milliseconds(40))
    #expect(seen.withLock { $0.count } == frames.count)
  }

  @Test func `without the clock the pictures are those of the file`() async throws {
    let path = folder.path("a.y4m")
    let original = picture(160, 90)
    let writer = try Y4MWriter(path: path, width: 160, height: 90, frameRate: 100)
    try writer.write(original)
    try writer.close()
    let source = Y4MFileSource(path: path)
    let differences = Mutex<[Int]>([])
    try source.start(
      format: VideoCaptureFormat(width: 160, height: 90, frameRate: 100),
      sink: { frame in differences.withLock { $0.append(largestDifference(frame, original)) } },
      onFailure: { Issue.record($0) })
    while differences.withLock({ $0.count }) < 3 { try await Task.sleep(for: .milliseconds(5)) }
    source.stop()
    #expect(differences.withLock { $0.allSatisfy { $0 == 0 } })
  }

  @Test func `a film that was cut off fails once, when the cut is reached`() async throws {
    let path = folder.path("a.y4m")
    let writer = try Y4MWriter(path: path, width: 64, height: 64, frameRate: 100)
    for _ in 0..<3 { try writer.write(picture(64, 64)) }
    try writer.close()
    let cut = try folder.file("cut.y4m", Array(try folder.bytes("a.y4m").dropLast(10)))
    let source = Y4MFileSource(path: cut)
    let state = Mutex<(pictures: Int, failures: [MediaDeviceError])>((0, []))
    try source.start(
      format: VideoCaptureFormat(width: 64, height: 64, frameRate: 100),
      sink: { _ in state.withLock { $0.pictures += 1 } },
      onFailure: { error in state.withLock { $0.failures.append(error) } })
    while state.withLock({ $0.failures.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
    source.stop()
    let (pictures, failures) = state.withLock { $0 }
    #expect(pictures <= 2)
    #expect(failures.count == 1)
    #expect(isUnsupported(failures.first, saying: "middle of a picture"))
  }

  @Test func `files that are not there fail at the start`() {
    let film = Y4MFileSource(path: "/nowhere.y4m")
    #expect(throws: MediaDeviceError.notFound(name: "/nowhere.y4m")) {
      try film.start(
        format: VideoCaptureFormat(width: 64, height: 64, frameRate: 30), sink: { _ in }, onFailure: { _ in })
    }
    film.stop()
    let sound = WAVFileSource(path: "/nowhere.wav")
    #expect(throws: MediaDeviceError.notFound(name: "/nowhere.wav")) {
      try sound.start(sink: { _ in }, onFailure: { _ in })
    }
    sound.stop()
  }

  @Test func `a sound file comes in steps of 10 ms at 48 kHz`() async throws {
    let path = folder.path("a.wav")
    let writer = try WAVWriter(path: path, sampleRate: 16_000, channelCount: 2)
    try writer.write([Int16](repeating: 1_000, count: 2_000))
    try writer.close()
    let source = WAVFileSource(path: path)
    let seen = Mutex<[AudioFrame]>([])
    try source.start(sink: { frame in seen.withLock { $0.append(frame) } }, onFailure: { Issue.record($0) })
    while seen.withLock({ $0.count }) < 15 { try await Task.sleep(for: .milliseconds(5)) }
    source.stop()
    let frames = seen.withLock { $0 }
    let first = try #require(frames.first)
    for frame in frames {
      #expect(frame.sampleRate == 48_000)
      #expect(frame.channelCount == 2)
      #expect(frame.samples.count == 960)
      #expect((frame.captureTime - first.captureTime).nanoseconds % 10_000_000 == 0)
    }
    // A constant stays one, over the end of the file too.
    #expect(frames.dropFirst().allSatisfy { $0.samples.allSatisfy { (999...1_001).contains($0) } })
  }
}
