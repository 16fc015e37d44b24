import EngineCore
import LinuxIO
import MediaBase
import Synchronization
import WebSocketIO

/// What lives behind an `RTCEngine`: the intent, the threads, and the paths between them.
///
/// The engine object itself only forwards, so that it can be let go anywhere: the runtime ends its threads by itself.
final class EngineRuntime: Sendable {
  let configuration: RTCEngineConfiguration
  /// Whether the server's address is one.
  let hasServer: Bool
  let intent: Mutex<EngineIntent>
  let registry = CallbackRegistry()
  let volumes = VolumeObserver()
  let voice = VoiceProcessing()
  let echoTest = EchoTest()
  let encodedVideo = EncodedVideoDesk()
  let snapshots: SnapshotDesk
  let pending = PendingAnswers()
  let dispatcher: DelegateDispatcher
  let parts = PartsBox()
  private let lastDevices = Mutex(DevicePlan())
  let captureRequestTime = Mutex<MediaInstant>(.zero)

  /// The threads. Made after the runtime, since their hooks lead back to it.
  struct Parts: Sendable {
    let network: NetworkLoop
    let videoSend: VideoSendPipeline
    let audioSend: AudioSendPipeline
    let videoReceive: VideoReceivePipeline
    let audioReceive: AudioReceivePipeline
    let devices: DeviceController
  }

  /// Holds the parts until the engine is destroyed.
  final class PartsBox: Sendable {
    private let value = Mutex<Parts?>(nil)
    func set(_ parts: Parts) { value.withLock { $0 = parts } }
    func get() -> Parts? { value.withLock { $0 } }
    func take() -> Parts? { value.withLock { $0.take() } }
  }

  init(configuration: RTCEngineConfiguration) {
    let configuration = configuration.inRange
    self.configuration = configuration
    hasServer = WebSocketClient.isAddress(configuration.server)
    intent = Mutex(
      EngineIntent(
        hasCamera: configuration.videoSource != nil, hasMicrophone: configuration.audioSource != nil,
        profile: configuration.channelProfile, encoder: configuration.videoEncoderConfiguration))
    let dispatcher = DelegateDispatcher(queue: configuration.delegateQueue, registry: registry)
    self.dispatcher = dispatcher
    snapshots = SnapshotDesk { request, width, height, outcome in
      dispatcher.tell(
        request.handle,
        .snapshotTaken(
          request.handle.connection, uid: request.uid, path: request.path, width: width, height: height,
          error: outcome.rawValue))
    }
  }

  /// Makes and starts the threads.
  func start() {
    let parts = makeParts()
    self.parts.set(parts)
    parts.network.start()
    parts.videoSend.start()
    parts.audioSend.start()
    parts.videoReceive.start()
    parts.devices.start()
  }

  /// Changes the intent under its lock, then has the threads follow it. The lock also keeps the order of posts equal to
  /// the order of calls. Returns the code that `body` returns, or -7 after `destroy()`.
  func change(_ body: (inout EngineIntent, Parts) -> EngineErrorCode) -> Int {
    guard let parts = parts.get() else { return -EngineErrorCode.notInitialized.rawValue }
    return intent.withLock { intent in
      guard !intent.isDestroyed else { return -EngineErrorCode.notInitialized.rawValue }
      let code = body(&intent, parts)
      if code == .ok { follow(&intent, parts) }
      return -code.rawValue
    }
  }

  /// Tells every thread what has changed for it.
  private func follow(_ intent: inout EngineIntent, _ parts: Parts) {
    for index in intent.connections.indices {
      let connection = intent.connections[index]
      let wishes = intent.wishes(of: connection)
      // Before it is published; what has ended needs no other source.
      let video = intent.video(of: connection)
      if wishes.publish.video, connection.postedVideo != video {
        parts.network.setVideo(connection.handle.id, video)
        intent.connections[index].postedVideo = video
      }
      let sound = intent.sound(of: connection)
      if wishes.publish.audio, connection.postedSound != sound {
        parts.network.setSound(connection.handle.id, sound)
        intent.connections[index].postedSound = sound
      }
      if let posted = connection.posted, posted != wishes {
        parts.network.update(connection.handle.id, wishes, since: posted)
      }
      if connection.posted?.token == wishes.token, connection.hasGivenToken {
        parts.network.renew(connection.handle.id, token: wishes.token)
      }
      intent.connections[index].hasGivenToken = false
      intent.connections[index].posted = wishes
      let encoder = connection.encoder ?? intent.encoder
      let lowEncoder = intent.lowEncoder(of: connection)
      if let posted = connection.postedEncoder, posted != encoder || connection.postedLowEncoder != lowEncoder {
        parts.network.setEncoder(connection.handle.id, encoder, low: lowEncoder)
      }
      intent.connections[index].postedEncoder = encoder
      intent.connections[index].postedLowEncoder = lowEncoder
      if connection.postedEncryption != connection.encryption {
        parts.network.setEncryption(connection.handle.id, connection.encryption)
        intent.connections[index].postedEncryption = connection.encryption
      }
      if connection.audioDelay != connection.postedAudioDelay {
        parts.network.setAudioDelay(connection.handle.id, connection.audioDelay)
        intent.connections[index].postedAudioDelay = connection.audioDelay
      }
      let delay = connection.minimumDelay
      if connection.postedDelay != delay {
        parts.audioReceive.setMinimumDelay(delay, connectionID: connection.handle.id)
        intent.connections[index].postedDelay = delay
      }
    }
    let devices = intent.devices
    let previous = lastDevices.withLock { last in
      defer { last = devices }
      return last
    }
    guard devices != previous else { return }
    if (devices.video != nil) != (previous.video != nil) {
      captureRequestTime.withLock { $0 = MonotonicClock.now() }
      parts.videoSend.setCapturing(devices.video != nil)
      if devices.video == nil, !intent.hasCameraFailed { tellLocalVideo(.stopped, .ok) }
    }
    if devices.audio != previous.audio {
      parts.audioSend.setCapturing(devices.audio)
      if !devices.audio, !intent.hasMicrophoneFailed { tellLocalAudio(.stopped, .ok) }
    }
    parts.devices.apply(devices)
  }

  /// Ends everything. Idempotent. Waits for the threads unless `waits` is false or the caller is one of them (all are in
  /// `registry`) or inside a callback.
  func shutDown(waits: Bool) {
    // What the application has given is let go of without a lock: what that keeps alive may call the engine when it goes.
    let connections = intent.withLock { intent in
      intent.isDestroyed = true
      defer { intent.connections = [] }
      return intent.connections
    }
    defer { withExtendedLifetime(connections) {} }
    dispatcher.stop()
    pending.giveUp()
    guard let parts = parts.take() else { return }
    let canWait = waits && !registry.isInsideCallback
    // The threads are ended from a thread that is none of them.
    let teardown = WorkerThread(name: "rtc-teardown") {
      parts.devices.stop()
      parts.videoSend.stop()
      parts.audioSend.stop()
      parts.videoReceive.stop()
      parts.network.stop()
    }
    if canWait { teardown.join() } else { teardown.detach() }
  }
}
