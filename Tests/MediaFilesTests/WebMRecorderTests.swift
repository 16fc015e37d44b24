import Foundation
import MediaBase
@testable import MediaFiles
import OpusCodec
import Synchronization
import TestSupport
import Testing
import VPXCodec

/// Recordings of synthetic streams, looked at by another program and by our own reader.
@Suite(.ownThread) struct WebMRecorderTests {
  private let folder: Folder
  private let start = MediaInstant(nanoseconds: 50_000_000_000)

  init() throws { folder = try Folder() }

  /// A stream of 25 pictures a second that is bright and sounds in the second half of each second.
  private final class Stream {
    private let encoder: VP8Encoder
    private var pictureIndex = 0
    private var soundIndex = 0
    private let start: MediaInstant
    private let size: (width: Int, height: Int)

    init(start: MediaInstant, width: Int = 160, height: Int = 96) throws {
      self.start = start
      size = (width, height)
      encoder = try VP8Encoder(
        configuration: VP8EncoderConfiguration(
          width: width, height: height, frameRate: 25, bitrateKilobitsPerSecond: 300))
    }

    private func isActive(_ seconds: Double) -> Bool { seconds.truncatingRemainder(dividingBy: 1) >= 0.5 }

    /// The next picture, and when it came: late by up to 15 ms, as on a network.
    func picture(isKeyFrame: Bool? = nil) throws -> (EncodedVideoFrame, MediaInstant) {
      let seconds = Double(pictureIndex) / 25
      let frame = flatPicture(size.width, size.height, y: isActive(seconds) ? 200 : 30)
      frame.captureTime = start + .milliseconds(Int64(pictureIndex) * 40)
      let encoded = try #require(
        try encoder.encode(
          frame, timestamp: UInt32(truncatingIfNeeded: 4_294_900_000 + pictureIndex * 3_600),
          forceKeyFrame: isKeyFrame ?? (pictureIndex % 25 == 0)))
      let jitter = pictureIndex * 7 % 16
      pictureIndex += 1
      return (encoded, frame.captureTime + .milliseconds(Int64(jitter)))
    }

    func sound() -> AudioFrame {
      let samples = (0..<480).flatMap { index -> [Int16] in
        let seconds = Double(soundIndex * 480 + index) / 48_000
        let value = isActive(seconds) ? Int16(12_000 * sin(2 * .pi * 1_000 * seconds)) : 0
        return [value, value]
      }
      defer { soundIndex += 1 }
      return AudioFrame(samples: samples, channelCount: 2, captureTime: start + .milliseconds(Int64(soundIndex) * 10))
    }

    func skipSound(_ count: Int) { soundIndex += count }
  }

  private func record(_ path: String, seconds: Int, to recording: WebMRecording, _ stream: Stream) throws {
    for step in 0..<seconds * 25 {
      let (picture, time) = try stream.picture()
      try recording.add(picture, at: time)
      for _ in 0..<4 {
        let sound = stream.sound()
        try recording.add(sound.samples, at: sound.captureTime)
      }
      _ = step
    }
  }

  @Test func `what is recorded is played by others: every picture, at its time, with its sound`() throws {
    let path = folder.path("show.webm")
    let recording = WebMRecording(path: path)
    try record(path, seconds: 4, to: recording, try Stream(start: start))
    try recording.finish()
    #expect(recording.files == [path])
    let streams = try FFmpegProgram.probe(path, "stream=codec_name,width,height,sample_rate,channels")
    for line in ["codec_name=vp8", "width=160", "height=96", "codec_name=opus", "sample_rate=48000", "channels=2"] {
      #expect(streams.contains(line), "\(streams)")
    }
    let duration = try FFmpegProgram.probe(path, "format=duration").first.flatMap { Double($0.dropFirst(9)) }
    #expect(abs((duration ?? 0) - 4) < 0.06, "\(duration ?? 0)")
    let times = try FFmpegProgram.probe(path, "packet=pts_time", ["-select_streams", "v"])
      .compactMap { Double($0.dropFirst(9)) }
    #expect(times.count == 100)
    // Steps of 40 ms although the pictures came with jitter.
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 0.04) < 0.003, "\(a) to \(b)") }
    // Another program decodes all of it without a complaint.
    let complaints = try FFmpegProgram.run(["-v", "warning", "-i", path, "-f", "null", "-"])
    #expect(complaints.isEmpty, "\(complaints)")
    let pictures = try MoviePictures(path: path, loops: false)
    let sound = try MovieSound(path: path, loops: false)
    for time in [0.25, 0.75, 1.25, 1.75, 2.25, 2.75] {
      let isActive = time.truncatingRemainder(dividingBy: 1) >= 0.5
      let picture = try #require(try pictures.picture(at: time, width: 160, height: 96))
      #expect((picture.planeY[48 * picture.strideY + 80] > 115) == isActive, "picture at \(time) s")
      let samples = try #require(try sound.samples(at: Int64(time * 48_000), count: 480))
      #expect(samples.contains { abs(Int($0)) > 3_000 } == isActive, "sound at \(time) s")
    }
  }

  @Test func `sound is where it was heard beside the pictures, for our reader and for others`() throws {
    let path = folder.path("show.webm")
    let recording = WebMRecording(path: path)
    try record(path, seconds: 2, to: recording, try Stream(start: start))
    try recording.finish()
    // It begins half a second after the first picture.
    let pictures = try FFmpegProgram.probe(path, "packet=pts_time", ["-select_streams", "v"])
    let expected = Int((try #require(pictures.first.flatMap { Double($0.dropFirst(9)) }) + 0.5) * 48_000)
    let sound = try MovieSound(path: path, loops: false)
    let own = try #require(try sound.samples(at: 0, count: 48_000)).enumerated()
    let beginning = Int(try MovieContainer(path: path).startSeconds * 48_000)
    let first = try #require(own.first { abs(Int($0.element)) > 3_000 }).offset / 2 + beginning
    #expect(abs(first - expected) < 96, "\(first), not \(expected)")
    let raw = folder.path("raw")
    try FFmpegProgram.run([
      "-copyts", "-i", path, "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-f", "s16le", raw,
    ])
    let samples = try folder.bytes("raw").withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let other = try #require(samples.firstIndex { abs(Int($0)) > 3_000 })
    #expect(abs(other - expected) < 96, "\(other), not \(expected)")
  }

  @Test func `a recording that was cut off at any byte plays up to the cut`() throws {
    let path = folder.path("show.webm")
    let recording = WebMRecording(path: path)
    try record(path, seconds: 4, to: recording, try Stream(start: start))
    // Not finished: what a crash leaves behind.
    let bytes = try folder.bytes("show.webm")
    var lengths: [Double] = []
    for part in [0.4, 0.7, 1.0] {
      let cut = try folder.file("cut.webm", Array(bytes.prefix(Int(Double(bytes.count) * part) - 13)))
      let packets = try FFmpegProgram.probe(cut, "packet=pts_time", ["-select_streams", "v"])
      lengths.append(packets.compactMap { Double($0.dropFirst(9)) }.max() ?? 0)
      let pictures = try MoviePictures(path: cut, loops: false)
      #expect(try pictures.picture(at: 0.75, width: 160, height: 96) != nil)
    }
    #expect(lengths[0] > 0.8 && lengths[1] > 1.8 && lengths[2] > 3, "\(lengths)")
    try recording.finish()
  }

  @Test func `silence stands where nothing was heard`() throws {
    let path = folder.path("show.webm")
    let recording = WebMRecording(path: path)
    let stream = try Stream(start: start)
    for step in 0..<100 {
      let (picture, time) = try stream.picture()
      try recording.add(picture, at: time)
      // Muted during the second and the third second.
      guard !(25..<75).contains(step) else {
        stream.skipSound(4)
        continue
      }
      for _ in 0..<4 {
        let sound = stream.sound()
        try recording.add(sound.samples, at: sound.captureTime)
      }
    }
    try recording.finish()
    let sound = try MovieSound(path: path, loops: false)
    let levels = try [0.25, 0.75, 1.75, 2.75, 3.25, 3.75].map { time in
      try #require(try sound.samples(at: Int64(time * 48_000), count: 480)).contains { abs(Int($0)) > 3_000 }
    }
    #expect(levels == [false, true, false, false, false, true])
    // No hole: a packet every 20 ms.
    let times = try FFmpegProgram.probe(path, "packet=pts_time", ["-select_streams", "a"])
      .compactMap { Double($0.dropFirst(9)) }
    for (a, b) in zip(times, times.dropFirst()) { #expect(abs(b - a - 0.02) < 0.0015, "\(a) to \(b)") }
  }

  @Test(.timeLimit(.minutes(3)))
  func `somebody who was away for twenty minutes goes on at once, with silence between`() throws {
    let path = folder.path("show.webm")
    let recording = WebMRecording(path: path)
    try record(path, seconds: 1, to: recording, try Stream(start: start))
    try record(path, seconds: 1, to: recording, try Stream(start: start + .seconds(1_200)))
    try recording.finish()
    let sound = try MovieSound(path: path, loops: false)
    for (time, isLoud) in [(0.75, true), (2, false), (600, false), (1_200.25, false), (1_200.75, true)] {
      let samples = try #require(try sound.samples(at: Int64(time * 48_000), count: 480))
      #expect(samples.contains { abs(Int($0)) > 3_000 } == isLoud, "\(time) s")
    }
    let times = try FFmpegProgram.probe(path, "packet=pts_time", ["-select_streams", "a"])
      .compactMap { Double($0.dropFirst(9)) }
    #expect(times.count >= 60_000 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.02) < 0.0015 })
    let complaints = try FFmpegProgram.run(["-v", "warning", "-i", path, "-f", "null", "-"])
    #expect(complaints.isEmpty, "\(complaints)")
  }

  @Test func `sound alone makes a file, and pictures that come later another one`() throws {
    let path = folder.path("show.webm")
    let recording = WebMRecording(path: path)
    let stream = try Stream(start: start)
    for _ in 0..<400 {
      let sound = stream.sound()
      try recording.add(sound.samples, at: sound.captureTime)
    }
    let later = try Stream(start: start + .seconds(4))
    try record(path, seconds: 2, to: recording, later)
    try recording.finish()
    #expect(recording.files == [path, folder.path("show-2.webm")])
    #expect(try FFmpegProgram.probe(path, "stream=codec_name") == ["codec_name=opus"])
    #expect(
      try FFmpegProgram.probe(folder.path("show-2.webm"), "stream=codec_name").sorted() == [
        "codec_name=opus", "codec_name=vp8",
      ])
  }

  @Test func `nothing is written before a key frame`() throws {
    let path = folder.path("show.webm")
    let recording = WebMRecording(path: path)
    let stream = try Stream(start: start)
    _ = try stream.picture()
    for _ in 0..<10 {
      let (picture, time) = try stream.picture(isKeyFrame: false)
      try recording.add(picture, at: time)
    }
    #expect(folder.contents.isEmpty)
    let (key, time) = try stream.picture(isKeyFrame: true)
    try recording.add(key, at: time)
    try recording.finish()
    #expect(
      try FFmpegProgram.probe(path, "packet=flags", ["-select_streams", "v"]).first?.hasPrefix("flags=K") == true)
  }

  @Test func `a disk that is full and a folder that is not there are told once`() throws {
    for (path, isExpected) in [
      ("/dev/full", { (error: MediaDeviceError) in if case .system(_, _, ENOSPC, _) = error { true } else { false } }),
      ("/nowhere/show.webm", { (error: MediaDeviceError) in "\(error)".contains("there is no folder /nowhere") }),
    ] {
      let failures = Mutex<[MediaDeviceError]>([])
      let recorder = WebMRecorder(path: path, onFailure: { error in failures.withLock { $0.append(error) } })
      let stream = try Stream(start: start)
      for _ in 0..<50 {
        let (picture, time) = try stream.picture()
        recorder.record(picture, at: time)
        for _ in 0..<4 { recorder.record(stream.sound()) }
      }
      recorder.finish()
      let told = failures.withLock { $0 }
      #expect(told.count == 1 && told.allSatisfy(isExpected), "\(told)")
    }
  }
}
