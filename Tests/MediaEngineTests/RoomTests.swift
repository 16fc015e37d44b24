import Dispatch
import EngineCore
import LinuxIO
import MediaBase
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// Parts of the engine by themselves.
@Suite(.ownThread) struct RoomTests {
  private func handle() -> ConnectionHandle {
    ConnectionHandle(
      id: 1, isDefault: true, requested: RTCConnection(channelID: "show", localUID: 1), delegate: nil, joinSuccess: nil)
  }

  @Test func `every snapshot is answered once, though its time ends late`() async throws {
    let queue = DispatchQueue(label: "busy")
    let answers = Mutex<[String]>([])
    let desk = SnapshotDesk(queue: queue) { request, _, _, outcome in
      answers.withLock { $0.append("\(request.path) \(outcome.rawValue)") }
    }
    queue.suspend()
    desk.request(handle(), uid: 7, path: "1.png")
    desk.request(handle(), uid: 7, path: "2.png")
    try await Task.sleep(nanoseconds: 1_010_000_000)
    desk.request(handle(), uid: 7, path: "3.png")
    queue.resume()
    #expect(await eventually { answers.withLock { $0.count } >= 3 })
    #expect(answers.withLock { $0 } == ["2.png -3", "1.png -2", "3.png -2"])
    #expect(desk.waitingCount == 0)
  }

  @Test func `what nobody plays does not pile up`() {
    let registry = CallbackRegistry()
    let pipeline = AudioReceivePipeline(
      hooks: AudioReceivePipeline.Hooks(playingChanged: { _ in }, firstDecoded: { _, _ in }), registry: registry,
      volumes: VolumeObserver())
    let handle = handle()
    let present = StreamID(connectionID: 1, uid: 1)
    pipeline.open(present, handle: handle)
    for turn in 0..<1_000 {
      pipeline.setMinimumDelay(.milliseconds(Int64(turn % 2 * 100)), connectionID: turn % 3)
      pipeline.close(StreamID(connectionID: 1, uid: 2))
      let other = StreamID(connectionID: 1, uid: 3)
      pipeline.open(other, handle: handle)
      pipeline.close(other)
    }
    #expect(pipeline.waitingCount < 10)
    // The first one that is known to the mixer is closed there.
    var samples = [Int16](repeating: 0, count: 960)
    samples.withUnsafeMutableBufferPointer { pipeline.fill($0) }
    pipeline.close(present)
    #expect(pipeline.waitingCount == 1)
  }

  @Test func `numbers of a configuration that are out of range are replaced by the nearest`() {
    var configuration = RTCEngineConfiguration(server: "ws://127.0.0.1:9")
    #expect(configuration.inRange.videoEncoderConfiguration == configuration.videoEncoderConfiguration)
    #expect(configuration.inRange.audioBitrate == 48_000)
    #expect(configuration.inRange.timing.giveUp == configuration.timing.giveUp)
    for value in [Int.min, -5, 0, Int.max] {
      configuration.videoEncoderConfiguration = VideoEncoderConfiguration(
        width: value, height: value, frameRate: value, bitrate: value)
      configuration.videoEncoderConfiguration.temporalLayerCount = value
      configuration.audioBitrate = value
      configuration.timing.interrupted = MediaDuration(nanoseconds: Int64(value))
      #expect((0...20_000).contains(configuration.videoEncoderConfiguration.effectiveBitrate) || value > 0)
      let result = configuration.inRange
      #expect(result.videoEncoderConfiguration.isValid)
      #expect((6_000...510_000).contains(result.audioBitrate))
      #expect(result.timing.interrupted >= .milliseconds(10))
      #expect(result.timing.interrupted <= .seconds(Int64(86_400)))
      let engine = RTCEngine(configuration: configuration)
      #expect(engine.runtime.configuration.timing.interrupted == result.timing.interrupted)
      #expect(engine.runtime.intent.withLock { $0.encoder } == result.videoEncoderConfiguration)
      #expect(engine.runtime.intent.withLock { engine.runtime.opusSettings($0).bitrate } >= 6_000)
      engine.destroy()
    }
  }
}
