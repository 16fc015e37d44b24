import Dispatch
import Glibc
import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// Event streams, asynchronous calls, queues.
  @Suite struct AsyncTests {
    @Test func `event streams give what the delegates are told, in order, and end with the engine`() async throws {
      let stage = try Stage()
      let engine = stage.engine(nil, video: false, audio: false)
      let pair = RTCConnection(channelID: "b", localUID: 5)
      let (all, one) = (engine.events, engine.events(of: pair))
      async let everything = Self.texts(all)
      async let ofPair = Self.texts(one)
      let log = Recorder()
      engine.addDelegate(log)
      engine.joinChannel(token: nil, channelID: "a", uid: 4, options: ChannelMediaOptions())
      #expect(await log.heard("joined a/4"))
      engine.joinChannelEx(token: nil, connection: pair, delegate: nil, options: ChannelMediaOptions()) { _, _, _ in }
      #expect(await log.heard("state 3,1", count: 2))
      engine.leaveChannelEx(pair)
      #expect(await log.heard("left b"))
      engine.destroy()
      #expect(
        await everything == [
          "a state 2,0", "a state 3,1", "a joined 4", "b state 2,0", "b state 3,1", "b joined 5", "b state 1,5",
          "b left",
        ])
      #expect(await ofPair == ["b state 2,0", "b state 3,1", "b joined 5", "b state 1,5", "b left"])
      for await event in engine.events { Issue.record("\(event) of an engine that is no more") }
    }

    private static func texts(_ events: AsyncStream<RTCEvent>) async -> [String] {
      var texts: [String] = []
      for await event in events {
        switch event {
        case .connectionChanged(let connection, let state, let reason):
          texts.append("\(connection.channelID) state \(state.rawValue),\(reason.rawValue)")
        case .joinedChannel(let connection, let uid, _): texts.append("\(connection.channelID) joined \(uid)")
        case .leftChannel(let connection, _): texts.append("\(connection.channelID) left")
        default: break
        }
      }
      return texts
    }

    @Test func `joining and leaving can be waited for`() async throws {
      let stage = try Stage()
      let engine = stage.engine(nil, video: false, audio: false)
      let result = try await engine.join(channelID: "a", uid: 0, options: ChannelMediaOptions())
      #expect(result.connection.localUID != 0)
      #expect(engine.connectionState() == .connected)
      let pair = RTCConnection(channelID: "b", localUID: 5)
      #expect(try await engine.join(connection: pair, options: ChannelMediaOptions()).connection == pair)
      await #expect(throws: EngineErrorCode.joinRejected) {
        try await engine.join(connection: pair, options: ChannelMediaOptions())
      }
      try await engine.leave(pair)
      await #expect(throws: EngineErrorCode.leaveRejected) { try await engine.leave(pair) }
      #expect(try await engine.join(connection: pair, options: ChannelMediaOptions()).connection == pair)
      engine.destroy()
      await #expect(throws: EngineErrorCode.notInitialized) { try await engine.leave(pair) }
    }

    @Test func `whoever waits is told when the engine is destroyed, and leaves when cancelled`() async throws {
      let engine = RTCEngine(configuration: RTCEngineConfiguration(server: "ws://127.0.0.1:9"))
      let waiting = Task { () -> EngineErrorCode in
        do throws(EngineErrorCode) {
          _ = try await engine.join(channelID: "a", uid: 1, options: ChannelMediaOptions())
          return .ok
        } catch { return error }
      }
      #expect(await eventually { engine.connectionState() == .reconnecting })
      waiting.cancel()
      #expect(await waiting.value == .canceled)
      #expect(await eventually { engine.leaveChannel() == -18 })
      async let second = Self.join(engine)
      #expect(await eventually { engine.connectionState() == .reconnecting })
      engine.destroy()
      #expect(await second == .aborted)
    }

    private static func join(_ engine: RTCEngine) async -> EngineErrorCode {
      do throws(EngineErrorCode) {
        _ = try await engine.join(channelID: "a", uid: 1, options: ChannelMediaOptions())
        return .ok
      } catch { return error }
    }

    @Test func `callbacks come on the queue that the application chooses, one at a time`() async throws {
      let stage = try Stage()
      let queue = DispatchQueue(label: "app")
      let key = DispatchSpecificKey<Bool>()
      queue.setSpecific(key: key, value: true)
      let log = QueueChecker(key: key)
      let engine = RTCEngine(
        configuration: RTCEngineConfiguration(server: stage.url, delegateQueue: queue), delegate: log)
      for channel in ["a", "b", "c"] {
        engine.joinChannelEx(
          token: nil, connection: RTCConnection(channelID: channel, localUID: 1), delegate: nil,
          options: ChannelMediaOptions())
      }
      #expect(await eventually { log.joined == 3 })
      engine.leaveChannel()
      // Connecting, connected, joined, disconnected and left, of each.
      #expect(await eventually { log.calls == 15 })
      #expect(log.problems == 0)
      engine.destroy()
      // The checker itself: it notices another queue, and two callbacks at a time.
      let elsewhere = QueueChecker(key: key)
      elsewhere.check()
      #expect(elsewhere.problems == 1)
      let crowded = QueueChecker(key: key)
      queue.sync { crowded.check { crowded.check() } }
      #expect(crowded.problems == 1)
    }

    @Test func `every call may be made from inside a callback`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil)
      let caller = Caller()
      host.addDelegate(caller)
      host.joinChannel(token: nil, channelID: "a", uid: 1, options: Stage.broadcaster)
      #expect(await eventually { caller.isDone })
      #expect(caller.codes.allSatisfy { $0 >= 0 }, "\(caller.codes)")
      #expect(host.leaveChannel() == -7)
    }

    @Test func `the shared engine is one until it is destroyed`() throws {
      let configuration = RTCEngineConfiguration(server: "ws://127.0.0.1:9")
      let first = RTCEngine.shared(configuration: configuration)
      #expect(RTCEngine.shared(configuration: configuration) === first)
      RTCEngine.destroyShared()
      #expect(first.leaveChannel() == -7)
      let second = RTCEngine.shared(configuration: configuration)
      #expect(second !== first)
      #expect(second.leaveChannel() == -18)
      RTCEngine.destroyShared()
    }

    @Test func `the shared engine is one at a time, whatever many threads do`() async throws {
      let configuration = RTCEngineConfiguration(server: "ws://127.0.0.1:9")
      let codes = await withTaskGroup(of: [Int].self) { group in
        for number in 0..<8 {
          group.addTask {
            (0..<25).map { turn in
              let engine = RTCEngine.shared(configuration: configuration)
              switch (turn + number) % 4 {
              case 0: RTCEngine.destroyShared()
              case 1: engine.destroy()
              default: break
              }
              return engine.leaveChannel()
            }
          }
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(codes.count == 200)
      #expect(codes.allSatisfy { $0 == -7 || $0 == -18 })
      // One that has been destroyed by itself is not given again.
      let engine = RTCEngine.shared(configuration: configuration)
      #expect(engine.leaveChannel() == -18)
      engine.destroy()
      #expect(RTCEngine.shared(configuration: configuration).leaveChannel() == -18)
      RTCEngine.destroyShared()
    }

    @Test func `a leave call's closure comes once with the totals, and a new join is not disturbed`() async throws {
      let stage = try Stage()
      let (log, totals) = (Recorder(), Totals())
      let engine = stage.engine(log, video: false, audio: false)
      engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions())
      #expect(await log.heard("joined a/1"))
      #expect(engine.leaveChannel { totals.add($0) } == 0)
      #expect(engine.joinChannel(token: nil, channelID: "a", uid: 1, options: ChannelMediaOptions()) == 0)
      #expect(await log.heard("joined a/1", count: 2))
      #expect(log.log.count { $0 == "left a" } == 1)
      #expect(totals.count == 1)
      #expect(engine.connectionState() == .connected)
      engine.destroy()
    }
  }
}

/// What leave calls have been told.
private final class Totals: Sendable {
  private let durations = Mutex<[Double]>([])

  var count: Int { durations.withLock { $0.count } }

  func add(_ statistics: RTCStatistics) { durations.withLock { $0.append(statistics.duration) } }
}

/// Notices callbacks on another queue, or two at a time.
private final class QueueChecker: RTCEngineDelegate {
  private let key: DispatchSpecificKey<Bool>
  private let state = Mutex((joined: 0, calls: 0, problems: 0, isInside: false))

  init(key: DispatchSpecificKey<Bool>) { self.key = key }

  var joined: Int { state.withLock { $0.joined } }
  var calls: Int { state.withLock { $0.calls } }
  var problems: Int { state.withLock { $0.problems } }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int) {
    check()
    state.withLock { $0.joined += 1 }
  }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, connectionChanged state: ConnectionState,
    reason: ConnectionChangedReason
  ) { check() }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didLeaveChannel statistics: RTCStatistics) { check() }

  /// What goes on meanwhile takes long enough for others to come in, if they may.
  func check(meanwhile: () -> Void = { usleep(2_000) }) {
    let isRight = DispatchQueue.getSpecific(key: key) == true
    state.withLock { state in
      state.calls += 1
      if state.isInside || !isRight { state.problems += 1 }
      state.isInside = true
    }
    meanwhile()
    state.withLock { $0.isInside = false }
  }
}

/// Calls everything from inside `didJoinChannel`, `destroy` last.
private final class Caller: RTCEngineDelegate {
  private let state = Mutex((isDone: false, codes: [Int]()))

  var isDone: Bool { state.withLock { $0.isDone } }
  var codes: [Int] { state.withLock { $0.codes } }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didJoinChannel uid: UInt, elapsed: Int) {
    let other = RTCConnection(channelID: "b", localUID: 1)
    let codes = [
      engine.updateChannelMediaOptions(ChannelMediaOptions(autoSubscribeAudio: false)), engine.setClientRole(.audience),
      engine.setClientRole(.broadcaster), engine.enableLocalVideo(false), engine.enableLocalVideo(true),
      engine.disableVideo(), engine.enableVideo(), engine.startPreview(), engine.createDataStream(),
      engine.takeSnapshot(uid: 0, path: "/tmp/never.png"), engine.enableAudioVolumeIndication(interval: 20),
      engine.setupLocalVideo(VideoCanvas(target: .closure { _ in })),
      engine.setupRemoteVideo(VideoCanvas(uid: 9, target: .closure { _ in })),
      engine.joinChannelEx(token: nil, connection: other, delegate: self, options: ChannelMediaOptions()),
      engine.setAudioProfile(.musicHighQualityStereo, scenario: .chorus), engine.leaveChannelEx(other),
      engine.muteAllRemoteVideoStreams(true), engine.statistics() == nil ? -1 : 0, engine.leaveChannel(),
    ]
    engine.destroy()
    state.withLock { $0 = (true, codes) }
  }
}
