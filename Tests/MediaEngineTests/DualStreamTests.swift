import MediaEngine
import Synchronization
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
        await eventually { widths.withLock { $0.count > 5 && $0.suffix(5).allSatisfy { $0 == width } } }
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

    @Test func `values out of range are refused`() {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:1"))
      defer { engine.destroy() }
      #expect(engine.enableDualStreamMode(true, configuration: VideoEncoderConfiguration(width: 5)) == -2)
      #expect(engine.setRemoteVideoStreamType(uid: 1, type: .low) == -8)
      #expect(engine.setRemoteDefaultVideoStreamType(.low) == 0)
    }
  }
}
