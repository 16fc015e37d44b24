import MediaBase
import MediaEngine
import Synchronization
import SyntheticMedia
import TestSupport
import Testing

extension EngineTests {
  /// Two streams of one camera, over loopback.
  @Suite struct DualStreamTests {
    @Test func `viewers get the stream they ask for, and the clock in its pixels goes on`() async throws {
      let stage = try Stage()
      let hostLog = Recorder()
      let host = stage.engine(hostLog)
      let viewers = (0..<2).map { _ in stage.engine(nil, video: false, audio: false) }
      let widths = Mutex<[[Int]]>([[], []])
      let pictures = viewers.map { _ in PictureCounter() }
      for (index, viewer) in viewers.enumerated() {
        let counter = pictures[index]
        viewer.setRemoteVideoFrameObserver { frame in
          widths.withLock { $0[index].append(frame.frame.width) }
          counter.note(frame)
        }
      }
      /// Whether the last pictures of a viewer had this width.
      func shows(_ index: Int, _ width: Int) async -> Bool {
        await eventually { widths.withLock { $0[index].count > 5 && $0[index].suffix(5).allSatisfy { $0 == width } } }
      }
      #expect(host.enableDualStreamMode(true) == 0)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      for (index, viewer) in viewers.enumerated() {
        viewer.joinChannel(token: nil, channelID: "show", uid: UInt(index) + 2, options: ChannelMediaOptions())
      }
      #expect(viewers[1].setRemoteDefaultVideoStreamType(.low) == 0)
      #expect(await shows(0, 320))
      #expect(await shows(1, 160))
      #expect(viewers[0].setRemoteVideoStreamType(uid: 1, type: .low) == 0)
      #expect(viewers[1].setRemoteVideoStreamType(uid: 1, type: .high) == 0)
      #expect(await shows(0, 160))
      #expect(await shows(1, 320))
      let clock = pictures[0].clock(1)
      #expect(clock != nil)
      #expect(await eventually { pictures[0].clock(1).map { $0 > clock ?? .zero } ?? false })
      // Without the second stream, everybody gets the first.
      #expect(host.enableDualStreamMode(false) == 0)
      #expect(await shows(0, 320))
      #expect(host.enableDualStreamMode(true, configuration: VideoEncoderConfiguration(width: 80, height: 46)) == 0)
      #expect(await shows(0, 80))
      host.destroy()
      for viewer in viewers { viewer.destroy() }
    }

    @Test func `by itself the smaller stream begins when a host wants it, and viewers get it then`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      let guest = stage.engine(nil)
      let viewer = stage.engine(nil, video: false, audio: false)
      let widths = Mutex<[Int]>([])
      viewer.setRemoteVideoFrameObserver { frame in
        if frame.uid == 1 { widths.withLock { $0.append(frame.frame.width) } }
      }
      func shows(_ width: Int) async -> Bool {
        let before = widths.withLock { $0.count }
        let isShown = await eventually {
          widths.withLock { $0.count > 5 && $0.suffix(5).allSatisfy { $0 == width } }
        }
        if !isShown {
          let (last, count) = widths.withLock { ($0.suffix(12), $0.count - before) }
          let requests = host.statistics()?.keyFrameRequests ?? 0
          Issue.record("\(count) pictures since, widths \(last), \(requests) key frames asked of the host so far")
        }
        return isShown
      }
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(
        token: nil, channelID: "show", uid: 3, options: ChannelMediaOptions(defaultVideoStreamType: .low))
      #expect(await shows(320))
      let count = widths.withLock { $0.count }
      #expect(await eventually { widths.withLock { $0.count > count + 20 } })
      #expect(await shows(320))
      #expect(guest.setRemoteDefaultVideoStreamType(.low) == 0)
      guest.joinChannel(token: nil, channelID: "show", uid: 2, options: Stage.broadcaster)
      #expect(await shows(160))
      #expect(host.setDualStreamMode(.disableSimulcastStream) == 0)
      #expect(await shows(320))
      #expect(host.setDualStreamMode(.autoSimulcastStream) == 0)
      #expect(await shows(160))
      #expect(viewer.updateChannelMediaOptions(ChannelMediaOptions(defaultVideoStreamType: .high)) == 0)
      #expect(await shows(320))
      for engine in [host, guest, viewer] { engine.destroy() }
    }

    @Test func `viewers get fewer temporal layers if they ask for it`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      var encoding = VideoEncoderConfiguration(width: 320, height: 180, frameRate: 30, bitrate: 300)
      encoding.temporalLayerCount = 2
      #expect(host.setVideoEncoderConfiguration(encoding) == 0)
      let viewer = stage.engine(nil, video: false, audio: false)
      // By the clock in the pixels, so that it does not matter when they are shown.
      let clocks = Mutex<[MediaInstant]>([])
      viewer.setRemoteVideoFrameObserver { frame in
        guard let clock = FrameClock.read(frame.frame) else { return }
        clocks.withLock { $0.append(clock) }
      }
      /// The steps between the last pictures, in milliseconds.
      func steps(_ count: Int) -> [Int64]? {
        let last = clocks.withLock { $0.suffix(count + 1) }
        guard last.count > count else { return nil }
        return zip(last, last.dropFirst()).map { ($1 - $0).nanoseconds / 1_000_000 }
      }
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      // At 30 pictures a second, without a layer every other one is missing.
      func getsAll() async -> Bool { await eventually { steps(5)?.contains { $0 < 50 } ?? false } }
      func getsHalf() async -> Bool { await eventually { steps(15)?.allSatisfy { $0 > 50 } ?? false } }
      #expect(await getsAll())
      #expect(viewer.setRemoteVideoTemporalLayerLimit(uid: 1, limit: 1) == 0)
      #expect(await getsHalf())
      let connection = RTCConnection(channelID: "show", localUID: 2)
      #expect(viewer.setRemoteVideoTemporalLayerLimitEx(uid: 1, limit: 2, connection: connection) == 0)
      #expect(await getsAll())
      #expect(viewer.setRemoteDefaultVideoTemporalLayerLimit(1) == 0)
      #expect(await getsAll())
      #expect(viewer.setRemoteVideoTemporalLayerLimit(uid: 1, limit: 0) == -2)
      #expect(viewer.setRemoteDefaultVideoTemporalLayerLimit(5) == -2)
      host.destroy()
      viewer.destroy()
    }

    @Test func `values out of range are refused`() {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:1"))
      defer { engine.destroy() }
      #expect(engine.enableDualStreamMode(true, configuration: VideoEncoderConfiguration(width: 5)) == -2)
      #expect(engine.setRemoteVideoStreamType(uid: 1, type: .low) == -8)
      #expect(engine.setRemoteDefaultVideoStreamType(.low) == 0)
      #expect(engine.setRemoteVideoTemporalLayerLimit(uid: 1, limit: 1) == -8)
    }
  }
}
