import LinuxIO
import MediaEngine
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

extension EngineTests {
  /// The engine lets go of what the application has given it when no lock is held, so that what goes with it may call the
  /// engine. In processes of their own: what would be wrong is a process that ends or hangs.
  @Suite struct LettingGoTests {
    /// Does something when it goes.
    private final class Owner: Sendable {
      private let goes: @Sendable () -> Void
      init(_ goes: @escaping @Sendable () -> Void) { self.goes = goes }
      func use() {}
      deinit { goes() }
    }

    /// A camera that keeps an owner.
    private final class OwnedCamera: VideoSource {
      private let owner: Owner
      init(_ owner: Owner) { self.owner = owner }
      var name: String { "owned" }
      func start(
        format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
        onFailure: @escaping @Sendable (MediaDeviceError) -> Void
      ) throws(MediaDeviceError) {}
      func stop() {}
    }

    /// A renderer that does something when it is finished.
    private final class LastWords: VideoRenderer {
      private let finishes: @Sendable () -> Void
      init(_ finishes: @escaping @Sendable () -> Void) { self.finishes = finishes }
      func render(_ frame: VideoFrame) {}
      func finish() { finishes() }
    }

    private final class Count: Sendable {
      private let value = Mutex(0)
      var now: Int { value.withLock { $0 } }
      func add() { value.withLock { $0 += 1 } }
    }

    private static func engine() -> RTCEngine {
      RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9", videoSource: TestPatternSource()))
    }

    @Test func `what goes with an observer, a processor or a camera may call the engine`() async {
      await #expect(processExitsWith: .success) {
        let (engine, count) = (Self.engine(), Count())
        @Sendable func owner() -> Owner {
          Owner {
            #expect(engine.stopPreview() == 0)
            count.add()
          }
        }
        let setters: [@Sendable (Owner) -> Void] = [
          { owner in engine.setRemoteVideoFrameObserver { _ in owner.use() } },
          { owner in engine.setRemoteEncodedVideoFrameObserver { _ in owner.use() } },
          { owner in engine.setLocalVideoFrameObserver { _ in owner.use() } },
          { owner in engine.setAudioFrameObserver { _ in owner.use() } },
          { owner in
            engine.setVideoFrameProcessor { frame in
              owner.use()
              return frame
            }
          },
          { owner in engine.switchCamera(to: OwnedCamera(owner)) },
        ]
        for _ in 0..<20 { for set in setters { set(owner()) } }
        engine.setRemoteVideoFrameObserver(nil)
        engine.setRemoteEncodedVideoFrameObserver(nil)
        engine.setLocalVideoFrameObserver(nil)
        engine.setAudioFrameObserver(nil)
        engine.setVideoFrameProcessor(nil)
        engine.switchCamera(to: TestPatternSource())
        #expect(await eventually { count.now == 20 * setters.count })
        engine.destroy()
      }
    }

    @Test func `what goes with a join that is left before it has come about may destroy the engine`() async {
      await #expect(processExitsWith: .success) {
        let count = Count()
        for turn in 0..<20 {
          let engine = Self.engine()
          Self.join(engine, count)
          if turn % 2 == 0 { try? await Task.sleep(nanoseconds: 5_000_000) }
          engine.leaveChannel()
        }
        #expect(await eventually { count.now == 20 })
      }
    }

    private static func join(_ engine: RTCEngine, _ count: Count) {
      let owner = Owner {
        engine.destroy()
        count.add()
      }
      engine.joinChannel(token: nil, channelID: "show", uid: 1, options: ChannelMediaOptions()) { _, _, _ in owner.use()
      }
    }

    @Test func `destroy lets go of what a join that has not come about keeps`() async {
      await #expect(processExitsWith: .success) {
        let (engine, count) = (Self.engine(), Count())
        Self.join(engine, count)
        engine.destroy()
        #expect(await eventually { count.now == 1 })
      }
    }

    @Test(arguments: [false, true]) func `a renderer that is finished may destroy the engine`(isLocal: Bool) async {
      let (engine, count) = (Self.engine(), Count())
      let renderer = LastWords {
        engine.destroy()
        count.add()
      }
      let canvas = VideoCanvas(uid: 5, target: .renderer(renderer))
      if isLocal { engine.setupLocalVideo(canvas) } else { engine.setupRemoteVideo(canvas) }
      if isLocal { engine.setupLocalVideo(nil) } else { engine.setupRemoteVideo(VideoCanvas(uid: 5, target: .none)) }
      #expect(await eventually { count.now == 1 })
      #expect(engine.leaveChannel() == -7)
    }
  }
}
