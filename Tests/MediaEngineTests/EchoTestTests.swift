import MediaBase
import MediaEngine
import Synchronization
import TestSupport
import Testing

/// A microphone that delivers what the test says, when the test says so.
private final class HandMicrophone: AudioSource {
  let name = "by hand"
  private let sink = Mutex<(@Sendable (AudioFrame) -> Void)?>(nil)

  var isRunning: Bool { sink.withLock { $0 != nil } }

  func start(
    sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) { self.sink.withLock { $0 = sink } }

  func stop() { sink.withLock { $0 = nil } }

  /// So many frames of 10 ms, each sample with this value.
  func hear(_ value: Int16, frames: Int) {
    guard let sink = sink.withLock({ $0 }) else { return }
    for _ in 0..<frames {
      sink(AudioFrame(samples: [Int16](repeating: value, count: 480), channelCount: 1, captureTime: .zero))
    }
  }
}

/// A speaker that asks for sound when the test says so.
private final class HandSpeaker: AudioPlayout {
  let name = "by hand"
  private let fill = Mutex<(@Sendable (UnsafeMutableBufferPointer<Int16>) -> Void)?>(nil)

  var isRunning: Bool { fill.withLock { $0 != nil } }

  func start(
    fill: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) { self.fill.withLock { $0 = fill } }

  func stop() { fill.withLock { $0 = nil } }

  /// The first and the last sample of each of the next frames of 10 ms.
  func play(frames: Int) -> [Int16] {
    guard let fill = fill.withLock({ $0 }) else { return [] }
    var heard: [Int16] = []
    var samples = [Int16](repeating: 0, count: 960)
    for _ in 0..<frames {
      samples.withUnsafeMutableBufferPointer { fill($0) }
      heard += [samples[0], samples[959]]
    }
    return heard
  }
}

@Suite(.ownThread) struct EchoTestTests {
  private func engine(_ microphone: HandMicrophone?, _ speaker: HandSpeaker) -> RTCEngine {
    // No server is there, and none is needed.
    RTCEngine(
      configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:1", audioSource: microphone, playout: speaker))
  }

  @Test func `what the microphone hears is played back once after the interval, and nothing of it a second time`()
    async throws
  {
    let (microphone, speaker) = (HandMicrophone(), HandSpeaker())
    let engine = engine(microphone, speaker)
    #expect(engine.startEchoTest(intervalInSeconds: 2) == 0)
    #expect(await eventually { microphone.isRunning && speaker.isRunning })
    for turn in [Int16(1_000), 2_000] {
      microphone.hear(turn, frames: 100)
      #expect(speaker.play(frames: 10).allSatisfy { $0 == 0 }, "it listens still")
      microphone.hear(-turn, frames: 100)
      // What is said while it plays is not heard.
      microphone.hear(77, frames: 50)
      #expect(speaker.play(frames: 100) == [Int16](repeating: turn, count: 200))
      microphone.hear(77, frames: 50)
      #expect(speaker.play(frames: 100) == [Int16](repeating: -turn, count: 200))
      #expect(speaker.play(frames: 300).allSatisfy { $0 == 0 })
    }
    // Volumes count as in a channel.
    engine.adjustRecordingSignalVolume(50)
    engine.adjustPlaybackSignalVolume(20)
    microphone.hear(1_000, frames: 200)
    #expect(speaker.play(frames: 200) == [Int16](repeating: 100, count: 400))
    #expect(engine.stopEchoTest() == 0)
    #expect(await eventually { !microphone.isRunning && !speaker.isRunning })
    engine.destroy()
  }

  @Test func `an echo test and a channel exclude each other, and bad calls have their codes`() async throws {
    let stage = try Stage()
    let log = Recorder()
    let engine = stage.engine(log, video: false)
    #expect(engine.stopEchoTest() == -5)
    for seconds in [Int.min, 1, 11, .max] { #expect(engine.startEchoTest(intervalInSeconds: seconds) == -2) }
    #expect(engine.startEchoTest() == 0)
    #expect(engine.startEchoTest() == -8)
    #expect(await log.heard("local audio 1,0"))
    let options = ChannelMediaOptions()
    let pair = RTCConnection(channelID: "b", localUID: 1)
    #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: options) == -8)
    #expect(engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: options) == -8)
    #expect(engine.stopEchoTest() == 0)
    #expect(await log.heard("local audio 0,0"))
    #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: options) == 0)
    #expect(engine.startEchoTest() == -8)
    #expect(await log.heard("joined a/1"))
    engine.leaveChannel()
    #expect(engine.startEchoTest() == 0)
    engine.stopEchoTest()
    engine.disableAudio()
    #expect(engine.startEchoTest() == -8)
    engine.destroy()
    #expect(engine.startEchoTest() == -7)
    let deaf = self.engine(nil, HandSpeaker())
    #expect(deaf.startEchoTest() == -3)
    deaf.destroy()
  }
}
