import MediaEngine
import Synchronization
import TestSupport
import Testing

extension EngineTests {
  /// What is reported again and again.
  @Suite struct ReportTests {
    /// A host and a viewer in one channel, and what is reported to them.
    private static func show(
      on stage: Stage, hasLowVideo: Bool = false
    ) -> (host: RTCEngine, viewer: RTCEngine, atHost: ReportLog, atViewer: ReportLog) {
      let (host, viewer) = (stage.engine(nil), stage.engine(nil, video: false, audio: false))
      let (atHost, atViewer) = (ReportLog(), ReportLog())
      host.addDelegate(atHost)
      viewer.addDelegate(atViewer)
      if hasLowVideo { #expect(host.enableDualStreamMode(true) == 0) }
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      return (host, viewer, atHost, atViewer)
    }

    @Test func `all statistics come, and their totals never fall`() async throws {
      let stage = try Stage()
      let (host, viewer, atHost, atViewer) = Self.show(on: stage)
      #expect(await eventually { atHost.connections.count >= 3 && atViewer.connections.count >= 3 })
      let (sent, received) = (atHost.connections, atViewer.connections)
      #expect(
        sent.last.map { $0.txVideoKBitRate > 0 && $0.txAudioKBitRate > 0 && $0.txKBitRate > $0.txVideoKBitRate } == true
      )
      #expect(received.last.map { $0.rxVideoKBitRate > 0 && $0.rxAudioKBitRate > 0 && $0.userCount == 2 } == true)
      #expect(zip(sent, sent.dropFirst()).allSatisfy { $0.duration <= $1.duration && $0.txBytes <= $1.txBytes })
      #expect(atHost.localVideo.last.map { $0.sentFrameRate > 0 && $0.captureFrameWidth > 0 && $0.uid == 1 } == true)
      #expect(atHost.localAudio.last.map { $0.sentBitrate > 0 } == true)
      #expect(atViewer.remoteVideo.last.map { $0.uid == 1 && $0.width == 320 && $0.decoderOutputFrameRate > 0 } == true)
      #expect(
        atViewer.remoteAudio.last.map { $0.uid == 1 && $0.receivedBitrate > 0 && $0.jitterBufferDelay > 0 } == true)
      #expect(atHost.remoteVideo.isEmpty)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `delays, streams, brightness, encoding and what the network carries are measured in a real channel`()
      async throws
    {
      let stage = try Stage()
      let (host, viewer, atHost, atViewer) = Self.show(on: stage, hasLowVideo: true)
      // Both clocks are this machine's, so that delays are known, and are no seconds.
      #expect(
        await eventually {
          atViewer.remoteVideo.contains { (1..<5_000).contains($0.e2eDelay) && $0.publishDuration > 1_000 }
        })
      #expect(
        await eventually {
          atViewer.remoteAudio.contains {
            $0.e2eDelay >= 20 && $0.e2eDelay >= $0.networkTransportDelay && $0.publishDuration > 1_000
          }
        })
      #expect(await eventually { atViewer.remoteVideo.contains { $0.avSyncTimeMs != 0 && $0.rxStreamType == .high } })
      #expect(viewer.setRemoteVideoStreamType(uid: 1, type: .low) == 0)
      #expect(await eventually { atViewer.remoteVideo.contains { $0.rxStreamType == .low && $0.width == 160 } })
      #expect(
        await eventually {
          atHost.localVideo.contains {
            $0.encodedFrameWidth == 320 && $0.encodedFrameHeight == 180 && $0.encodedBitrate > 0
              && $0.encodedFrameCount > 0 && $0.captureBrightnessLevel == .normal && $0.dualStreamEnabled
              && (1...300).contains($0.targetBitrate)
          }
        })
      #expect(await eventually { atHost.uplinks.contains { $0.videoEncoderTargetBitrateBps > 0 } })
      #expect(await eventually { atHost.uplinks.contains { $0.bandwidthEstimationBps > 0 } })
      #expect(
        await eventually {
          atViewer.downlinks.contains {
            $0.bandwidthEstimationBps > 0 && $0.peerDownlinkInfo.contains { $0.uid == 1 && $0.streamType == .low }
          }
        })
      #expect(atHost.downlinks.allSatisfy { $0.peerDownlinkInfo.isEmpty })
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `network quality is told of the sending, the receiving and the remote side, every two seconds`()
      async throws
    {
      let stage = try Stage()
      let (host, viewer, atHost, atViewer) = Self.show(on: stage)
      #expect(await eventually { atHost.qualities.contains { $0.uid == 0 && $0.tx != .unknown && $0.rx == .unknown } })
      #expect(
        await eventually { atViewer.qualities.contains { $0.uid == 0 && $0.tx == .unknown && $0.rx != .unknown } })
      #expect(await eventually { atViewer.qualities.contains { $0.uid == 1 && $0.tx != .unknown } })
      // As often as statistics.
      #expect(await eventually { atHost.qualities.count { $0.uid == 0 } == atHost.connections.count })
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `sound that is to be late is late, and heard; a delay out of range is -2`() async throws {
      let stage = try Stage()
      let viewer = stage.engine(nil, video: false, audio: false)
      let (host, atViewer) = (stage.engine(nil, video: false), ReportLog())
      viewer.addDelegate(atViewer)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      var options = Stage.broadcaster
      for wrong in [-1, 5_001] {
        options.audioDelayMilliseconds = wrong
        #expect(host.joinChannel(token: nil, channelID: "show", uid: 1, options: options) == -2)
      }
      options.audioDelayMilliseconds = 700
      let events = host.events
      let published = Task { () -> Int in
        for await event in events {
          if case .firstLocalAudioFramePublished(_, let elapsed) = event { return elapsed }
        }
        return 0
      }
      #expect(host.joinChannel(token: nil, channelID: "show", uid: 1, options: options) == 0)
      // What is captured after the join call cannot be sent before the delay is over.
      #expect(await published.value >= 700)
      #expect(await eventually { atViewer.remoteAudio.contains { $0.uid == 1 && $0.receivedBitrate > 0 } })
      #expect(host.updateChannelMediaOptions(ChannelMediaOptions(audioDelayMilliseconds: 9_999)) == -2)
      #expect(host.updateChannelMediaOptions(ChannelMediaOptions(audioDelayMilliseconds: 0)) == 0)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `volumes come in two reports a tick, local and remote; an interval of 0 ends them`() async throws {
      let stage = try Stage()
      let (host, viewer) = (stage.engine(nil, video: false), stage.engine(nil, video: false, audio: false))
      let (atHost, atViewer) = (ReportLog(), ReportLog())
      host.addDelegate(atHost)
      viewer.addDelegate(atViewer)
      for engine in [host, viewer] {
        #expect(engine.enableAudioVolumeIndication(interval: 5) == -2)
        #expect(engine.enableAudioVolumeIndication(interval: 100, smooth: 11) == -2)
        #expect(engine.enableAudioVolumeIndication(interval: 100, smooth: 0, reportVAD: true) == 0)
      }
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      viewer.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      #expect(await eventually { atHost.volumes.contains { $0.first.map { $0.uid == 0 && $0.volume > 50 } ?? false } })
      #expect(
        await eventually { atViewer.volumes.contains { $0.first.map { $0.uid == 1 && $0.volume > 50 } ?? false } })
      #expect(await eventually { atViewer.activeSpeakers == [1] })
      #expect(viewer.enableAudioVolumeIndication(interval: 0) == 0)
      // What was on its way has come when the next statistics have.
      let reports = atViewer.connections.count
      #expect(await eventually { atViewer.connections.count > reports })
      let count = atViewer.volumes.count
      #expect(await eventually { atViewer.connections.count > reports + 1 })
      #expect(atViewer.volumes.count == count)
      for engine in [host, viewer] { engine.destroy() }
    }

    @Test func `a low-latency audience holds sound back longer than an ultra-low one`() async throws {
      let stage = try Stage()
      let host = stage.engine(nil, video: false)
      let (soon, smooth) = (
        stage.engine(nil, video: false, audio: false), stage.engine(nil, video: false, audio: false)
      )
      host.joinChannel(token: nil, channelID: "show", uid: 1, options: Stage.broadcaster)
      soon.joinChannel(token: nil, channelID: "show", uid: 2, options: ChannelMediaOptions())
      smooth.setClientRole(.audience, options: ClientRoleOptions(audienceLatencyLevel: .lowLatency))
      smooth.joinChannel(token: nil, channelID: "show", uid: 3, options: ChannelMediaOptions())
      @Sendable func delay(_ engine: RTCEngine) -> Int {
        engine.statistics()?.remote.first?.audioDelayMilliseconds ?? 0
      }
      #expect(await eventually { delay(smooth) >= 200 })
      #expect(await eventually { (1..<150).contains(delay(soon)) })
      smooth.updateChannelMediaOptions(ChannelMediaOptions(audienceLatencyLevel: .ultraLowLatency))
      #expect(await eventually { (1..<150).contains(delay(smooth)) })
      for engine in [host, soon, smooth] { engine.destroy() }
    }
  }
}

/// Keeps every report.
final class ReportLog: RTCEngineDelegate {
  private struct State {
    var connections: [RTCConnectionReport] = []
    var localVideo: [LocalVideoReport] = []
    var localAudio: [LocalAudioReport] = []
    var remoteVideo: [RemoteVideoReport] = []
    var remoteAudio: [RemoteAudioReport] = []
    var volumes: [[AudioVolumeInfo]] = []
    var activeSpeakers: [UInt] = []
    var qualities: [(uid: UInt, tx: NetworkQuality, rx: NetworkQuality)] = []
    var uplinks: [UplinkNetworkInfo] = []
    var downlinks: [DownlinkNetworkInfo] = []
  }

  private let state = Mutex(State())

  var connections: [RTCConnectionReport] { state.withLock { $0.connections } }
  var localVideo: [LocalVideoReport] { state.withLock { $0.localVideo } }
  var localAudio: [LocalAudioReport] { state.withLock { $0.localAudio } }
  var remoteVideo: [RemoteVideoReport] { state.withLock { $0.remoteVideo } }
  var remoteAudio: [RemoteAudioReport] { state.withLock { $0.remoteAudio } }
  var volumes: [[AudioVolumeInfo]] { state.withLock { $0.volumes } }
  var qualities: [(uid: UInt, tx: NetworkQuality, rx: NetworkQuality)] { state.withLock { $0.qualities } }
  var uplinks: [UplinkNetworkInfo] { state.withLock { $0.uplinks } }
  var downlinks: [DownlinkNetworkInfo] { state.withLock { $0.downlinks } }
  var activeSpeakers: [UInt] { state.withLock { $0.activeSpeakers } }

  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, reportStatistics report: RTCConnectionReport) {
    state.withLock { $0.connections.append(report) }
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, localVideoStatistics report: LocalVideoReport) {
    state.withLock { $0.localVideo.append(report) }
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, localAudioStatistics report: LocalAudioReport) {
    state.withLock { $0.localAudio.append(report) }
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, remoteVideoStatistics report: RemoteVideoReport) {
    state.withLock { $0.remoteVideo.append(report) }
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, remoteAudioStatistics report: RemoteAudioReport) {
    state.withLock { $0.remoteAudio.append(report) }
  }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, reportAudioVolumeIndicationOf speakers: [AudioVolumeInfo],
    totalVolume: Int
  ) { state.withLock { $0.volumes.append(speakers) } }
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, networkQualityOfUID uid: UInt, tx: NetworkQuality,
    rx: NetworkQuality
  ) { state.withLock { $0.qualities.append((uid, tx, rx)) } }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, uplinkNetworkInfoUpdate info: UplinkNetworkInfo) {
    state.withLock { $0.uplinks.append(info) }
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, downlinkNetworkInfoUpdate info: DownlinkNetworkInfo) {
    state.withLock { $0.downlinks.append(info) }
  }
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, activeSpeaker uid: UInt) {
    state.withLock { $0.activeSpeakers.append(uid) }
  }
}
