import ControlWire
import EngineCore
import LinuxIO
import MediaBase
import Synchronization
import WebSocketIO

/// The network thread: owns every connection's core and sockets. Other threads only post to it.
final class NetworkLoop: Sendable {
  private let loop: EventLoop
  private let thread: Mutex<WorkerThread?> = Mutex(nil)
  private let context: NetworkContext
  private let registry: CallbackRegistry

  init(runtime: EngineRuntime, server: String, trustedCertificates: String?, systemDirectory: String) {
    let loop = EventLoop()
    self.loop = loop
    registry = runtime.registry
    context = NetworkContext(
      runtime: runtime, loop: loop, server: server, trustedCertificates: trustedCertificates,
      systemDirectory: systemDirectory)
  }

  func start() {
    thread.withLock { thread in
      thread = WorkerThread(name: "rtc-network") { [loop, registry] in registry.call { loop.run() } }
    }
  }

  /// Leaves every channel, closes every socket, ends the thread and waits for it.
  func stop() {
    loop.post { [context, loop] in
      context.close()
      loop.stop()
    }
    thread.withLock { $0.take() }?.join()
  }

  func join(
    _ handle: ConnectionHandle, _ configuration: ConnectionConfiguration, encoder: VideoEncoderConfiguration,
    lowEncoder: VideoEncoderConfiguration?
  ) {
    loop.post { [context] in context.join(handle, configuration, encoder: encoder, lowEncoder: lowEncoder) }
  }

  /// Has the machine's networks looked at, as after each of their changes.
  func lookAtNetwork() { loop.post { [context] in context.lookAtNetwork() } }

  func leave(_ id: Int) { loop.post { [context] in context.leave(id) } }

  func update(_ id: Int, _ wishes: ConnectionWishes, since last: ConnectionWishes) {
    loop.post { [context] in context.update(id, wishes, since: last) }
  }

  func setEncoder(_ id: Int, _ encoder: VideoEncoderConfiguration, low: VideoEncoderConfiguration?) {
    loop.post { [context] in context.setEncoder(id, encoder, low: low) }
  }

  func setVideo(_ id: Int, _ track: LocalVideoTrack) { loop.post { [context] in context.setVideo(id, track) } }

  func setSound(_ id: Int, _ mix: SoundMix) { loop.post { [context] in context.setSound(id, mix) } }

  func setEncryption(_ id: Int, _ settings: FrameEncryptionSettings?) {
    loop.post { [context] in context.setEncryption(id, settings) }
  }

  func renew(_ id: Int, token: String) { loop.post { [context] in context.renew(id, token: token) } }

  func ratchetEncryptionKey(_ id: Int) { loop.post { [context] in context.ratchetEncryptionKey(id) } }

  func setAudioDelay(_ id: Int, _ delay: MediaDuration) {
    loop.post { [context] in context.setAudioDelay(id, delay) }
  }

  func sendStreamMessage(_ id: Int, streamID: Int, sequence: Int, data: [UInt8]) {
    loop.post { [context] in context.sendStreamMessage(id, streamID: streamID, sequence: sequence, data: data) }
  }

  func setVolumeIndication(_ settings: VolumeSettings?) {
    loop.post { [context] in context.setVolumeIndication(settings) }
  }

  func requestKeyFrame(_ stream: StreamID) { loop.post { [context] in context.requestKeyFrame(stream) } }

  func send(video frame: EncodedVideoFrame, of encoding: VideoSendPipeline.Encoding, to ids: [Int]) {
    loop.post { [context] in context.send(video: frame, of: encoding, to: ids) }
  }

  func send(encodedVideo frame: EncodedVideoFrame, track: Int) {
    loop.post { [context] in context.send(encodedVideo: frame, track: track) }
  }

  func send(audio frame: EncodedAudioFrame, level: UInt8, to target: AudioSendPipeline.Target) {
    loop.post { [context] in context.send(audio: frame, level: level, to: target) }
  }

  /// A snapshot, answered on the network thread.
  func statistics(_ id: Int, _ answer: @escaping @Sendable (RTCStatistics?) -> Void) {
    loop.post { [context] in answer(context.statistics(id)) }
  }
}
