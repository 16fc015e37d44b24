import LinuxIO
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

@testable import MediaEngine

extension EngineTests {
  /// What is told of devices that do not do what they should.
  @Suite struct WarningTests {
    /// A device that this process may not open.
    private final class ForbiddenDevice: VideoSource, AudioSource {
      var name: String { "forbidden" }

      func start(
        format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
        onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) { throw .noPermission(name: name) }

      func start(
        sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) { throw .noPermission(name: name) }

      func stop() {}
    }

    /// A microphone of which all that is heard comes at once.
    private final class HastyMicrophone: AudioSource, RecoveringSource {
      private let sink = Mutex<(@Sendable (AudioFrame) -> Void)?>(nil)
      private let observer = Mutex<(@Sendable (MediaDeviceError?) -> Void)?>(nil)
      let hearsRoom: Bool
      var name: String { "hasty" }

      init(hearsRoom: Bool = true) { self.hearsRoom = hearsRoom }

      var isRunning: Bool { sink.withLock { $0 != nil } }

      func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) {
        self.observer.withLock { $0 = observer }
      }

      func interrupt(_ error: MediaDeviceError?) { observer.withLock { $0 }?(error) }

      func start(
        sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) { self.sink.withLock { $0 = sink } }

      func stop() { sink.withLock { $0 = nil } }

      /// So many pieces of 10 ms, all samples of which are `value`.
      func hear(_ value: Int16, pieces: Int) {
        guard let sink = sink.withLock({ $0 }) else { return }
        let samples = [Int16](repeating: value, count: 480)
        for _ in 0..<pieces { sink(AudioFrame(samples: samples, captureTime: MonotonicClock.now())) }
      }
    }

    /// A speaker that asks for sound when it is told to, or cannot be started.
    private final class HandSpeaker: AudioPlayout, RecoveringSource {
      private let fill = Mutex<(@Sendable (UnsafeMutableBufferPointer<Int16>) -> Void)?>(nil)
      private let observer = Mutex<(@Sendable (MediaDeviceError?) -> Void)?>(nil)
      let isBroken: Bool
      var name: String { "hand" }

      init(isBroken: Bool = false) { self.isBroken = isBroken }

      var isRunning: Bool { fill.withLock { $0 != nil } }

      func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) {
        self.observer.withLock { $0 = observer }
      }

      func interrupt(_ error: MediaDeviceError?) { observer.withLock { $0 }?(error) }

      func start(
        fill: @escaping @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void,
        onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) {
        if isBroken { throw .busy(name: name, holder: nil) }
        self.fill.withLock { $0 = fill }
      }

      func stop() { fill.withLock { $0 = nil } }

      func ask() {
        var samples = [Int16](repeating: 0, count: 960)
        guard let fill = fill.withLock({ $0 }) else { return }
        samples.withUnsafeMutableBufferPointer { fill($0) }
      }
    }

    /// Writes down troubles of devices.
    private final class TroubleLog: RTCEngineDelegate {
      private let entries = Mutex<[String]>([])
      var log: [String] { entries.withLock { $0 } }

      private func note(_ entry: String) { entries.withLock { $0.append(entry) } }

      func heard(_ entry: String) async -> Bool { await eventually { self.log.contains(entry) } }

      func rtcEngine(_ engine: RTCEngine, localVideoStateChanged state: LocalVideoState, reason: LocalVideoStateReason)
      {
        note("local video \(state.rawValue),\(reason.rawValue)")
      }
      func rtcEngine(_ engine: RTCEngine, localAudioStateChanged state: LocalAudioState, reason: LocalAudioStateReason)
      {
        note("local audio \(state.rawValue),\(reason.rawValue)")
      }
      func rtcEngine(
        _ engine: RTCEngine, connection: RTCConnection?, didOccurWarning code: EngineWarningCode, message: String
      ) { note("warning \(code.rawValue)") }
      func rtcEngine(_ engine: RTCEngine, permissionError type: PermissionType) {
        note("permission \(type.rawValue)")
      }
    }

    private func engine(_ url: String, _ log: TroubleLog, microphone: any AudioSource) -> RTCEngine {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: url, audioSource: microphone), delegate: log)
      engine.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      return engine
    }

    @Test func `a camera and a microphone that may not be opened are permission errors, after their states`() async {
      let (log, device) = (TroubleLog(), ForbiddenDevice())
      let engine = RTCEngine(
        configuration: RTCEngineConfiguration(
          server: "ws://127.0.0.1:9", videoSource: device, audioSource: device), delegate: log)
      engine.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await log.heard("permission 1"))
      #expect(await log.heard("permission 0"))
      #expect(
        log.log.filter { $0 == "local video 3,2" || $0 == "permission 1" } == ["local video 3,2", "permission 1"])
      #expect(
        log.log.filter { $0 == "local audio 3,2" || $0 == "permission 0" } == ["local audio 3,2", "permission 0"])
      engine.destroy()
    }

    @Test func `a microphone that delivers silence for 10 s, or almost nothing for 20 s, is told once`() async {
      let (log, microphone) = (TroubleLog(), HastyMicrophone())
      let engine = engine("ws://127.0.0.1:9", log, microphone: microphone)
      #expect(await eventually { microphone.isRunning })
      microphone.hear(0, pieces: 999)
      microphone.hear(20, pieces: 1)
      microphone.hear(0, pieces: 1_000)
      #expect(await log.heard("warning 1019"))
      microphone.hear(0, pieces: 3_000)
      microphone.hear(2_000, pieces: 1)
      microphone.hear(20, pieces: 2_000)
      #expect(await log.heard("warning 1031"))
      microphone.hear(-20, pieces: 5_000)
      microphone.interrupt(.disconnected(name: "x"))
      #expect(await log.heard("warning 1016"))
      #expect(log.log.filter { $0.hasPrefix("warning 10") } == ["warning 1019", "warning 1031", "warning 1016"])
      engine.destroy()
    }

    @Test(
      arguments: [
        (MediaDeviceError.disconnected(name: "x"), 6), (.notFound(name: "x"), 6), (.noPermission(name: "x"), 2),
        (.busy(name: "x", holder: nil), 3), (.unsupportedFormat(name: "x", detail: ""), 4), (.withoutThread("x"), 4),
      ])
    func `what is wrong with a microphone that fails is its state's reason, and it records again when it is back`(
      error: MediaDeviceError, reason: Int
    ) async {
      let (log, microphone) = (TroubleLog(), HastyMicrophone())
      let engine = engine("ws://127.0.0.1:9", log, microphone: microphone)
      #expect(await eventually { microphone.isRunning })
      microphone.interrupt(error)
      #expect(await log.heard("local audio 3,\(reason)"))
      microphone.interrupt(nil)
      #expect(await eventually { log.log.last { $0.hasPrefix("local audio") } == "local audio 1,0" })
      engine.destroy()
    }

    @Test func `silence of a file is no trouble of a microphone`() async {
      let (log, file) = (TroubleLog(), HastyMicrophone(hearsRoom: false))
      let engine = engine("ws://127.0.0.1:9", log, microphone: file)
      #expect(await eventually { file.isRunning })
      file.hear(0, pieces: 5_000)
      file.interrupt(.disconnected(name: "x"))
      #expect(await log.heard("warning 1016"))
      #expect(!log.log.contains("warning 1019"))
      engine.destroy()
    }

    @Test func `a speaker that is away, does not work or has gaps is told`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil, video: false)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      let (speaker, log, logOfBroken) = (HandSpeaker(), TroubleLog(), TroubleLog())
      let viewer = RTCEngine(
        configuration: RTCEngineConfiguration(server: stage.url, playout: speaker), delegate: log)
      let deaf = RTCEngine(
        configuration: RTCEngineConfiguration(server: stage.url, playout: HandSpeaker(isBroken: true)),
        delegate: logOfBroken)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      deaf.joinChannel(token: nil, channelID: "show", uid: 3, options: ChannelMediaOptions())
      #expect(await eventually { speaker.isRunning })
      speaker.interrupt(.disconnected(name: "x"))
      #expect(await log.heard("warning 1014"))
      for _ in 0..<4 {
        speaker.ask()
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(await log.heard("warning 1052"))
      #expect(await logOfBroken.heard("warning 1020"))
      for engine in [host, viewer, deaf] { engine.destroy() }
    }
  }
}

@Suite struct PlayoutWatchTests {
  @Test func `three gaps within five seconds are told, further ones only after half a minute`() {
    var watch = PlayoutWatch()
    var now = MediaInstant.zero
    func play(_ pieces: Int) -> Int {
      (0..<pieces).count { _ in
        defer { now = now + .milliseconds(10) }
        return watch.asked(now: now)
      }
    }
    #expect(play(10) == 0)
    var told: [MediaInstant] = []
    for _ in 0..<40 {
      now = now + .milliseconds(60)
      if play(100) > 0 { told.append(now) }
    }
    #expect(told.count == 2)
    #expect(told.count == 2 && told[1] - told[0] >= PlayoutWatch.pause)
  }

  @Test func `a gap now and then, a device that asks in advance, a clock that drifts and a pause are no gaps`() {
    var watch = PlayoutWatch()
    var now = MediaInstant.zero
    var told = 0
    for index in 0..<60_000 {
      if watch.asked(now: now) { told += 1 }
      // Bursts of 20, each after the time of 20; 200 ppm slow; one gap in seven seconds; once nobody is heard for a minute.
      if index % 20 == 19 { now = now + .microseconds(200_040) }
      if index % 700 == 0 { now = now + .milliseconds(400) }
      if index == 30_000 { now = now + .seconds(60) }
    }
    #expect(told == 0)
  }
}
