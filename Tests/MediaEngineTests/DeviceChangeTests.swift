import Dispatch
import LinuxIO
import MediaEngine
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

extension EngineTests {
  /// Devices that come, go and are exchanged during a channel.
  @Suite struct DeviceChangeTests {
    /// A camera that can be unplugged by hand.
    private final class FragileCamera: VideoSource, RecoveringSource {
      private let pattern = TestPatternSource()
      private let observer = Mutex<(@Sendable (MediaDeviceError?) -> Void)?>(nil)
      let starts = Mutex(0)
      let stops = Mutex(0)
      var name: String { "fragile" }

      func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) {
        self.observer.withLock { $0 = observer }
      }

      func interrupt(_ error: MediaDeviceError?) { observer.withLock { $0 }?(error) }

      func start(
        format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
        onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) {
        starts.withLock { $0 += 1 }
        try pattern.start(format: format, sink: sink, onFailure: onFailure)
      }

      func stop() {
        stops.withLock { $0 += 1 }
        pattern.stop()
      }
    }

    /// A microphone in a room with steady noise.
    private final class NoisyMicrophone: AudioSource {
      private let thread = Mutex<PacedThread?>(nil)
      let hearsRoom = true
      var name: String { "noise" }

      func start(
        sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) {
        let paced = PacedThread(name: "noise", rate: PacedThread.Rate(100), patience: .seconds(1)) {
          var random = SeededRandom(seed: 1)
          return { tick in
            let samples = (0..<480).map { _ in Int16.random(in: -3_000...3_000, using: &random) }
            sink(AudioFrame(samples: samples, captureTime: tick.dueTime))
            return true
          }
        }
        thread.withLock { $0 = paced }
      }

      func stop() { thread.withLock { $0.take() }?.stop() }
    }

    /// A camera that cannot be started at first.
    private final class LateCamera: VideoSource {
      private let pattern = TestPatternSource()
      private let starts = Mutex(0)
      var name: String { "late" }

      func start(
        format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
        onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) {
        let isFirst = starts.withLock { starts in
          starts += 1
          return starts == 1
        }
        if isFirst { throw .busy(name: "late", holder: nil) }
        try pattern.start(format: format, sink: sink, onFailure: onFailure)
      }

      func stop() { pattern.stop() }
    }

    /// A microphone that takes its time.
    private final class SlowMicrophone: AudioSource {
      private let tone = ToneSource()
      let mayStart = DispatchSemaphore(value: 0)
      var name: String { "slow" }

      func start(
        sink: @escaping @Sendable (AudioFrame) -> Void, onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) {
        _ = mayStart.wait(timeout: .now() + .seconds(10))
        try tone.start(sink: sink, onFailure: onFailure)
      }

      func stop() { tone.stop() }
    }

    @Test func `a camera that is tried again while the microphone is being started is started again`() async {
      let (log, microphone) = (Recorder(), SlowMicrophone())
      let engine = RTCEngine(
        configuration: RTCEngineConfiguration(
          server: "ws://127.0.0.1:9", videoSource: LateCamera(), audioSource: microphone), delegate: log)
      engine.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      #expect(await eventually { log.log.contains { $0.hasPrefix("local video 3,") } })
      // Off and on again before the thread of the devices looks: it never sees a moment without the wish.
      #expect(engine.enableLocalVideo(true) == 0)
      microphone.mayStart.signal()
      #expect(await log.heard("local audio 1,0"))
      #expect(await log.heard("local video 1,0"))
      engine.destroy()
    }

    private func engine(_ stage: Stage, camera: any VideoSource, log: Recorder) -> RTCEngine {
      RTCEngine(
        configuration: RTCEngineConfiguration(
          server: stage.url, videoSource: camera,
          videoEncoderConfiguration: VideoEncoderConfiguration(width: 320, height: 180, frameRate: 30, bitrate: 300)),
        delegate: log)
    }

    @Test func `switching the camera goes on in the same channel, and closes the one before`() async throws {
      let stage = try Stage()
      let (log, counter) = (Recorder(), PictureCounter())
      let (first, second) = (FragileCamera(), FragileCamera())
      let (host, viewer) = (engine(stage, camera: first, log: log), stage.engine(nil, video: false, audio: false))
      counter.observe(viewer)
      host.joinChannel(
        token: nil, channelID: "show", uid: 1,
        options: ChannelMediaOptions(
          publishCameraTrack: true, publishMicrophoneTrack: false, clientRoleType: .broadcaster))
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await counter.getsMore(1))
      #expect(host.switchCamera(to: second) == 0)
      #expect(await eventually { second.starts.withLock { $0 } == 1 && first.stops.withLock { $0 } == 1 })
      #expect(await counter.getsMore(1, 10))
      // What becomes of the first camera does not count any more.
      first.interrupt(.disconnected(name: "first"))
      #expect(await counter.getsMore(1, 10))
      #expect(!log.log.contains("local video 3,9"))
      #expect(stage.engine(nil, video: false).switchCamera(to: second) == -EngineErrorCode.notReady.rawValue)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `an unplugged camera is told with its reason, and again when it is back`() async throws {
      let stage = try Stage()
      let (log, camera) = (Recorder(), FragileCamera())
      let host = engine(stage, camera: camera, log: log)
      host.joinChannel(
        token: nil, channelID: "show", uid: 1,
        options: ChannelMediaOptions(
          publishCameraTrack: true, publishMicrophoneTrack: false, clientRoleType: .broadcaster))
      #expect(await log.heard("local video 2,0"))
      camera.interrupt(.disconnected(name: "x"))
      #expect(await log.heard("local video 3,9"))
      camera.interrupt(.busy(name: "x", holder: nil))
      #expect(await log.heard("local video 3,3"))
      camera.interrupt(nil)
      #expect(await log.heard("local video 1,0", count: 2))
      #expect(await log.heard("local video 2,0", count: 2))
      host.destroy()
    }

    @Test func `a microphone's noise is suppressed unless the application or the scenario says otherwise`() async throws
    {
      let stage = try Stage()
      let engine = RTCEngine(
        configuration: RTCEngineConfiguration(server: stage.url, audioSource: NoisyMicrophone()), delegate: nil)
      let levels = Mutex<[Double]>([])
      engine.setAudioFrameObserver { observed in
        guard case .recorded = observed.position else { return }
        let power = observed.frame.samples.reduce(0) { $0 + Double($1) * Double($1) } / 480
        levels.withLock { $0.append(power) }
      }
      engine.joinChannel(
        token: nil, channelID: "show", uid: 1,
        options: ChannelMediaOptions(
          publishCameraTrack: false, publishMicrophoneTrack: true, clientRoleType: .broadcaster))
      func becomes(_ isQuiet: Bool) async -> Bool {
        await eventually {
          let recent = levels.withLock { $0.suffix(20) }
          // The noise has a power of three million.
          return recent.count == 20 && recent.allSatisfy { ($0 < 600_000) == isQuiet }
        }
      }
      #expect(await becomes(true))
      engine.setAudioProcessing(.off)
      #expect(await becomes(false))
      engine.setAudioProcessing(nil)
      #expect(await becomes(true))
      engine.setAudioScenario(.chorus)
      #expect(await becomes(false))
      engine.destroy()
    }
  }
}
