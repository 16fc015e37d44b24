import Foundation
import MediaEngine
import PictureFiles
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  @Suite struct CanvasTests {
    @Test func `file canvases keep the newest picture as PNG and every picture as Y4M`() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "canvas-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (png, y4m) = (folder.appending(path: "p.png").path, folder.appending(path: "p.y4m").path)
      let stage = try Stage()
      let (host, first, second) = (
        stage.engine(nil), stage.engine(nil, video: false, audio: false), stage.engine(nil, video: false, audio: false)
      )
      let pictures = PictureCounter()
      pictures.observe(second)
      first.setupRemoteVideo(VideoCanvas(uid: 1, target: .file(path: png)))
      second.setupRemoteVideo(VideoCanvas(uid: 1, target: .file(path: y4m)))
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      first.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      second.joinChannel(token: nil, channelID: "show", uid: 3, options: ChannelMediaOptions())
      #expect(await eventually { FileManager.default.fileExists(atPath: png) })
      #expect(await pictures.getsMore(1, 20))
      for engine in [first, second, host] { engine.destroy() }
      let picture = try PNGFile.read(png)
      #expect(picture.width == 320)
      #expect(picture.height == 180)
      let size = try #require(FileManager.default.attributesOfItem(atPath: y4m)[.size] as? Int)
      #expect(size > 20 * 320 * 180 * 3 / 2)
    }

    @Test func `pictures are shown to an observer as they came, in order, before they are decoded`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      let seen = Mutex<[RemoteEncodedVideoFrame]>([])
      let pictures = PictureCounter()
      pictures.observe(viewer)
      viewer.setRemoteEncodedVideoFrameObserver { frame in seen.withLock { $0.append(frame) } }
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await pictures.getsMore(1, 20))
      viewer.setRemoteEncodedVideoFrameObserver(nil)
      let frames = seen.withLock { $0 }
      #expect(frames.count >= 20)
      #expect(frames.allSatisfy { $0.uid == 1 && $0.connection.channelID == "show" && !$0.frame.data.isEmpty })
      // RFC 6386 section 9.1: a key frame's first bit is 0, and decoding begins with one.
      #expect(frames.first?.frame.data.first.map { $0 & 1 == 0 } == true && frames.first?.frame.isKeyFrame == true)
      for (a, b) in zip(frames, frames.dropFirst()) {
        #expect(Int32(bitPattern: b.frame.timestamp &- a.frame.timestamp) > 0 && b.receiveTime >= a.receiveTime)
      }
      for engine in [viewer, host] { engine.destroy() }
    }
  }
}
