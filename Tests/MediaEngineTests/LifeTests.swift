import LinuxIO
import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// Engines that come and go.
  @Suite struct LifeTests {
    // In a process of its own: those of other tests come and go.
    @Test func `destroy during a call frees every thread and descriptor`() async {
      await #expect(processExitsWith: .success) {
        let stage = try Stage()
        let pictures = PictureCounter()
        // Whatever lives for the rest of the process (queues of the system, codecs' tables) is made by a first round.
        try await Self.round(stage, pictures)
        let settled = await Self.settledResources()
        for _ in 0..<5 { try await Self.round(stage, pictures) }
        let isFreed = await eventually {
          let now = ProcessStatistics.current()
          return now.threadCount <= settled.threads && now.fileDescriptorCount <= settled.descriptors
        }
        #expect(isFreed)
      }
    }

    private static func round(_ stage: Stage, _ pictures: PictureCounter) async throws {
      let (host, viewer) = (stage.engine(nil), stage.engine(nil))
      pictures.observe(viewer)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: Stage.broadcaster)
      #expect(await pictures.getsMore(1, 2))
      host.destroy()
      viewer.destroy()
    }

    /// Threads and descriptors once neither has fallen for a second.
    private static func settledResources() async -> (threads: Int, descriptors: Int) {
      var best = (threads: Int.max, descriptors: Int.max)
      var quiet = 0
      while quiet < 20 {
        let now = ProcessStatistics.current()
        if now.threadCount < best.threads || now.fileDescriptorCount < best.descriptors {
          best = (min(best.threads, now.threadCount), min(best.descriptors, now.fileDescriptorCount))
          quiet = 0
        } else {
          quiet += 1
        }
        try? await Task.sleep(nanoseconds: 50_000_000)
      }
      return best
    }

    @Test func `destroy from a delegate method, an observer and a canvas does not deadlock`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      for place in ["delegate", "observer", "canvas", "audio"] {
        let destroyer = Destroyer(place)
        let viewer = stage.engine(nil, video: false, audio: false)
        destroyer.attach(viewer)
        viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
        #expect(await eventually { destroyer.isDone }, "\(place)")
        #expect(viewer.leaveChannel() == -7)
      }
      host.destroy()
    }

    @Test func `an engine that is let go ends by itself`() async throws {
      let stage = try Stage()
      let viewerLog = Recorder()
      let viewer = stage.engine(viewerLog, video: false, audio: false)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      do {
        let host = stage.engine(nil)
        host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
        #expect(await viewerLog.heard("first video 1"))
      }
      #expect(await viewerLog.heard("user 1 offline 0"))
      viewer.destroy()
    }

    @Test func `after destroy a new engine works`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      for _ in 0..<3 {
        let (viewer, pictures) = (stage.engine(nil, video: false, audio: false), PictureCounter())
        pictures.observe(viewer)
        viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
        #expect(await pictures.getsMore(1, 2))
        viewer.destroy()
      }
      host.destroy()
    }

    @Test func `calls from many threads at once are safe`() async throws {
      let stage = try Stage()
      let engine = stage.engine(nil)
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            let pair = RTCConnection(channelID: "c\(task % 3)", localUID: UInt(task + 1))
            for _ in 0..<20 {
              engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: Stage.broadcaster)
              engine.updateChannelMediaOptionsEx(ChannelMediaOptions(publishCameraTrack: false), connection: pair)
              engine.enableLocalVideo(task % 2 == 0)
              engine.adjustUserPlaybackSignalVolumeEx(uid: 1, volume: 10, connection: pair)
              _ = engine.statistics(of: pair)
              engine.leaveChannelEx(pair)
            }
          }
        }
      }
      engine.destroy()
      #expect(engine.leaveChannel() == -7)
    }

    @Test func `an engine may be destroyed by several threads while others call it`() async throws {
      let stage = try Stage()
      for _ in 0..<5 {
        let engine = stage.engine(nil)
        let pictures = PictureCounter()
        pictures.observe(engine)
        engine.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
        await withTaskGroup(of: [Int].self) { group in
          for task in 0..<6 {
            group.addTask {
              var codes: [Int] = []
              for round in 0..<50 {
                codes.append(engine.muteLocalVideoStream(round % 2 == 0))
                codes.append(engine.adjustPlaybackSignalVolume(round))
                _ = engine.statistics()
                _ = engine.connectionState()
                if round == 20 + task { engine.destroy() }
              }
              return codes
            }
          }
          // Each call has done its work or has said why not; after a thread has destroyed, its own all say so.
          for await codes in group {
            #expect(codes.allSatisfy { [0, -7, -8].contains($0) })
            #expect(codes.suffix(2) == [-7, -7])
          }
        }
      }
    }
  }
}

/// Destroys an engine from inside one of its callbacks.
private final class Destroyer: RTCEngineDelegate {
  private let place: String
  private let done = Mutex(false)

  init(_ place: String) { self.place = place }

  var isDone: Bool { done.withLock { $0 } }

  func attach(_ engine: RTCEngine) {
    switch place {
    case "delegate": engine.addDelegate(self)
    case "observer": engine.setRemoteVideoFrameObserver { [weak engine] _ in self.destroy(engine) }
    case "canvas":
      let target = VideoCanvas.Target.closure { [weak engine] _ in self.destroy(engine) }
      engine.setupRemoteVideo(VideoCanvas(uid: 1, target: target))
    default: engine.setAudioFrameObserver { [weak engine] _ in self.destroy(engine) }
    }
  }

  private func destroy(_ engine: RTCEngine?) {
    engine?.destroy()
    done.withLock { $0 = true }
  }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinedOfUID uid: UInt, elapsed: Int) {
    destroy(engine)
  }
}
