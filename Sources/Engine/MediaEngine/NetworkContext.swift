import ControlWire
import EngineCore
import LinuxIO
import MediaBase
import OpenSSLCrypto
import WebSocketIO

/// What belongs to the network thread alone.
final class NetworkContext: @unchecked Sendable {
  // @unchecked: the loop's closures carry it to the network thread, which alone touches what is inside.

  weak var runtime: EngineRuntime?
  let loop: EventLoop
  let server: String
  let trustedCertificates: String?
  var connections: [Int: ConnectionRuntime] = [:]
  var isClosed = false
  private var targets: [VideoSendPipeline.Target] = []
  private var audioTargets: [AudioSendPipeline.Target] = []
  let slab = DatagramSlab()
  let batch = DatagramBatch()
  /// For when the loop's timer is set.
  var timerTime: MediaInstant?
  /// When volumes are to be reported.
  var volumeTime: MediaInstant?
  var usage: ProcessUsage?
  /// What was told last; `nil` before the first join.
  var networkType: NetworkType?
  var networkChanges: NetworkChangeSocket?
  /// This machine's that could be used last.
  var addresses: Set<TransportAddress> = []
  /// Where `/proc` and `/sys` are.
  let systemDirectory: String

  init(
    runtime: EngineRuntime, loop: EventLoop, server: String, trustedCertificates: String?, systemDirectory: String
  ) {
    self.systemDirectory = systemDirectory
    self.runtime = runtime
    self.loop = loop
    self.server = server
    self.trustedCertificates = trustedCertificates
  }

  func join(
    _ handle: ConnectionHandle, _ configuration: ConnectionConfiguration, encoder: VideoEncoderConfiguration,
    lowEncoder: VideoEncoderConfiguration?
  ) {
    guard !isClosed else { return }
    watchNetwork()
    let core = ConnectionCore(configuration: configuration, crypto: OpenSSLCrypto.provider, now: MonotonicClock.now())
    let connection = ConnectionRuntime(handle: handle, core: core, encoder: encoder)
    connection.lowEncoder = lowEncoder
    connection.core.setVideoDemand(connection.videoDemand, now: MonotonicClock.now())
    connection.reporter = StatisticsReporter(local: statistics(of: connection).local)
    connections[handle.id] = connection
    drain(connection)
  }

  func leave(_ id: Int) {
    guard let connection = connections[id] else { return }
    connection.core.leave(now: MonotonicClock.now())
    drain(connection)
    remove(connection)
  }

  /// Role and token are named only if they have changed: the server may have refused the last ones a moment ago, and
  /// another change must not ask for them again.
  func update(_ id: Int, _ wishes: ConnectionWishes, since last: ConnectionWishes) {
    guard let connection = connections[id] else { return }
    connection.core.update(
      role: wishes.role == last.role ? nil : wishes.role, publish: wishes.publish, subscribe: wishes.subscribe,
      token: wishes.token == last.token ? nil : wishes.token, mediaState: wishes.mediaState,
      isAudioFilterable: wishes.isAudioFilterable, now: MonotonicClock.now())
    drain(connection)
  }

  func sendStreamMessage(_ id: Int, streamID: Int, sequence: Int, data: [UInt8]) {
    guard let connection = connections[id] else { return }
    connection.core.sendStreamMessage(
      streamID: streamID, sequence: sequence, data: data, now: MonotonicClock.now())
    drain(connection)
  }

  func setEncryption(_ id: Int, _ settings: FrameEncryptionSettings?) {
    guard let connection = connections[id] else { return }
    connection.core.setEncryption(settings, now: MonotonicClock.now())
    drain(connection)
  }

  func renew(_ id: Int, token: String) {
    guard let connection = connections[id] else { return }
    connection.core.renew(token: token, now: MonotonicClock.now())
    drain(connection)
  }

  func ratchetEncryptionKey(_ id: Int) {
    guard let connection = connections[id] else { return }
    connection.core.ratchetEncryptionKey(now: MonotonicClock.now())
    drain(connection)
  }

  func setEncoder(_ id: Int, _ encoder: VideoEncoderConfiguration, low: VideoEncoderConfiguration?) {
    guard let connection = connections[id] else { return }
    let (isOther, isOtherLow) = (connection.encoder != encoder, connection.lowEncoder != low)
    connection.encoder = encoder
    connection.lowEncoder = low
    connection.core.setVideoDemand(connection.videoDemand, now: MonotonicClock.now())
    refreshTargets()
    // Another connection's encoder may be in the middle of its pictures. Asked for after the encoders know for whom they work.
    guard !connection.video.isEncoded else { return }
    if isOther { connection.core.changeVideoSource() } else if isOtherLow { connection.core.changeLowVideoSource() }
    drain(connection)
  }

  func requestKeyFrame(_ stream: StreamID) {
    guard let connection = connections[stream.connectionID] else { return }
    connection.core.requestKeyFrame(of: stream.uid, now: MonotonicClock.now())
    drain(connection)
  }

  /// Sends another track's pictures in place of those before, beginning with a key frame.
  func setVideo(_ id: Int, _ track: LocalVideoTrack) {
    guard let connection = connections[id], connection.video != track else { return }
    connection.video = track
    connection.lastIntraRequest = nil
    connection.core.setVideoDemand(connection.videoDemand, now: MonotonicClock.now())
    // First of all, so that the request for a key frame reaches the encoder of the new track.
    refreshTargets()
    connection.core.changeVideoSource()
    drain(connection)
  }

  /// Sends a picture of the application's, as it is, on all connections that publish its track.
  func send(encodedVideo frame: EncodedVideoFrame, track: Int) {
    let now = MonotonicClock.now()
    for connection in connections.values where connection.video.id == track && connection.core.isSendingVideo {
      if frame.isKeyFrame { connection.lastIntraRequest = nil }
      connection.core.sendVideo(frame, now: now)
      drain(connection)
    }
    runtime?.encodedVideo.taken(track)
  }

  func send(video frame: EncodedVideoFrame, of encoding: VideoSendPipeline.Encoding, to ids: [Int]) {
    let now = MonotonicClock.now()
    for id in ids {
      // What was encoded before the track was changed is late.
      guard let connection = connections[id], connection.video.id == encoding.track else { continue }
      if encoding.isLow {
        connection.core.sendLowVideo(frame, now: now)
      } else {
        connection.core.sendVideo(frame, now: now)
      }
      drain(connection)
    }
  }

  /// Makes a connection's sound of something else from now on.
  func setSound(_ id: Int, _ mix: SoundMix) {
    connections[id]?.sound = mix
    refreshTargets()
  }

  func send(audio frame: EncodedAudioFrame, level: UInt8, to target: AudioSendPipeline.Target) {
    let now = MonotonicClock.now()
    for id in target.connectionIDs {
      // What was encoded before the sound was changed is late.
      guard let connection = connections[id], connection.sound == target.mix else { continue }
      connection.heldAudio.push(frame, level: level, now: now)
      sendHeldAudio(connection, now: now)
      schedule(connection)
    }
  }

  func setAudioDelay(_ id: Int, _ delay: MediaDuration) { connections[id]?.heldAudio.delay = delay }

  /// Sends the sound whose time has come.
  func sendHeldAudio(_ connection: ConnectionRuntime, now: MediaInstant) {
    while let entry = connection.heldAudio.pop(now: now) {
      connection.core.sendAudio(entry.frame, level: entry.level, now: now)
      drain(connection)
    }
  }

  /// Leaves everything; the loop ends afterwards.
  func close() {
    isClosed = true
    stopWatchingNetwork()
    for connection in connections.values {
      connection.core.leave(now: MonotonicClock.now())
      drain(connection)
      remove(connection)
    }
  }

  /// Takes a connection out whose core has ended.
  private func remove(_ connection: ConnectionRuntime) {
    connections[connection.handle.id] = nil
    closeStreams(connection)
    setTimer()
    closeSocket(connection)
    refreshTargets()
    runtime?.parts.get()?.videoSend.forget(connectionID: connection.handle.id)
  }

  /// Tells the encoders for whom they work.
  func refreshTargets() {
    let sending = connections.values.filter { $0.core.isSendingVideo }.sorted { $0.handle.id < $1.handle.id }
    var targets: [VideoSendPipeline.Target] = []
    func add(_ encoding: VideoSendPipeline.Encoding, _ id: Int, _ bitrate: Int?) {
      if let index = targets.firstIndex(where: { $0.encoding == encoding }) {
        targets[index].connectionIDs.append(id)
        // Who has least decides: an encoder makes one stream for all.
        if let bitrate { targets[index].bitrate = min(targets[index].bitrate ?? bitrate, bitrate) }
      } else {
        targets.append(VideoSendPipeline.Target(encoding: encoding, connectionIDs: [id], bitrate: bitrate))
      }
    }
    for connection in sending where !connection.video.isEncoded {
      let bitrates = connection.encoderBitrates
      add(connection.encoding, connection.handle.id, bitrates?.large)
      guard let low = connection.lowEncoding, connection.core.canSendLowVideo else { continue }
      add(low, connection.handle.id, bitrates?.small)
    }
    if targets != self.targets {
      self.targets = targets
      runtime?.parts.get()?.videoSend.setTargets(targets)
    }
    refreshAudioTargets()
  }

  private func refreshAudioTargets() {
    var targets: [AudioSendPipeline.Target] = []
    for connection in connections.values.sorted(by: { $0.handle.id < $1.handle.id })
    where connection.core.isSendingAudio {
      if let index = targets.firstIndex(where: { $0.mix == connection.sound }) {
        targets[index].connectionIDs.append(connection.handle.id)
      } else {
        targets.append(AudioSendPipeline.Target(mix: connection.sound, connectionIDs: [connection.handle.id]))
      }
    }
    guard targets != audioTargets else { return }
    audioTargets = targets
    runtime?.parts.get()?.audioSend.setTargets(targets)
  }
}
