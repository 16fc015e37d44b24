import ALSAAudio
import EngineCore
import LinuxIO
import MediaBase
import Synchronization

extension EngineRuntime {
  /// Makes the threads and ties them together. Hooks hold the runtime weakly: it owns the threads.
  func makeParts() -> Parts {
    let network = NetworkLoop(
      runtime: self, server: configuration.server, trustedCertificates: configuration.trustedCertificates,
      systemDirectory: configuration.systemDirectory)
    let videoSend = makeVideoSend(network)
    let audioSend = makeAudioSend(network)
    let videoReceive = VideoReceivePipeline(
      hooks: VideoReceivePipeline.Hooks(
        keyFrameNeeded: { [weak network] id in network?.requestKeyFrame(id) },
        firstDecoded: { [weak self] handle, uid, frame in self?.firstDecoded(handle, uid, frame) },
        firstRendered: { [weak self] handle, uid, frame in self?.firstRendered(handle, uid, frame) },
        sizeChanged: { [weak self] handle, uid, frame in self?.sizeChanged(handle, uid, frame) }),
      registry: registry, snapshots: snapshots)
    let audioReceive = AudioReceivePipeline(
      hooks: AudioReceivePipeline.Hooks(
        playingChanged: { [weak self] plays in self?.parts.get()?.devices.setPlaying(plays) },
        firstDecoded: { [weak self] handle, uid in self?.firstAudioDecoded(handle, uid) }), registry: registry,
      volumes: volumes)
    let playout = configuration.playout ?? NullPlayout()
    let (recordingWatch, playoutWatch) = (Watch(RecordingWatch()), Watch(PlayoutWatch()))
    let hearsRoom = configuration.audioSource?.hearsRoom ?? false
    voice.setPlayoutDelay { playout.delay }
    voice.setOptions(intent.withLock { processing($0) })
    let devices = DeviceController(
      videoSource: configuration.videoSource, audioSource: configuration.audioSource, playout: playout,
      fallbackPlayout: NullPlayout(),
      hooks: DeviceController.Hooks(
        videoFrame: { videoSend.push($0) },
        audioFrame: { [weak self, voice] frame in
          if hearsRoom, let code = recordingWatch.value.withLock({ $0.add(frame) }) { self?.microphoneIsQuiet(code) }
          audioSend.push(voice.capture(frame))
        },
        playout: { [weak self, voice, echoTest] samples in
          if playoutWatch.value.withLock({ $0.asked(now: MonotonicClock.now()) }) { self?.playoutHasGaps() }
          audioReceive.fill(samples)
          echoTest.play(into: samples, volume: audioReceive.masterVolume)
          voice.render(samples)
        },
        videoFailed: { [weak self] in self?.cameraFailed($0) },
        audioFailed: { [weak self] in self?.microphoneFailed($0) },
        playoutFailed: { [weak self] in self?.playoutFailed($0) },
        videoInterrupted: { [weak self] in self?.cameraInterrupted($0) },
        audioInterrupted: { [weak self] in self?.microphoneInterrupted($0) },
        playoutInterrupted: { [weak self] in if let error = $0 { self?.playoutInterrupted(error) } }),
      registry: registry)
    return Parts(
      network: network, videoSend: videoSend, audioSend: audioSend, videoReceive: videoReceive,
      audioReceive: audioReceive, devices: devices)
  }

  /// What is to be done to the microphone's sound: nothing to that of files and tones.
  func processing(_ intent: EngineIntent) -> AudioProcessingOptions {
    guard configuration.audioSource?.hearsRoom ?? false else { return .off }
    return intent.audioProcessing ?? intent.audioScenario.processing
  }

  /// How the microphone is to be encoded.
  func opusSettings(_ intent: EngineIntent) -> OpusSettings {
    OpusSettings(
      profile: intent.audioProfile, scenario: intent.audioScenario, channelProfile: intent.profile,
      defaultBitrate: configuration.audioBitrate)
  }

  private func makeVideoSend(_ network: NetworkLoop) -> VideoSendPipeline {
    VideoSendPipeline(
      hooks: VideoSendPipeline.Hooks(
        firstCaptured: { [weak self] in self?.firstCaptured($0) },
        sizeChanged: { [weak self] in self?.sizeChanged(nil, 0, $0) },
        firstEncoded: { [weak self] in self?.tellLocalVideo(.encoding, .ok) },
        encoded: { [weak network] frame, target in
          network?.send(video: frame, of: target.encoding, to: target.connectionIDs)
        },
        failed: { [weak self] track, message in
          if track == LocalVideoTrack.camera.id { self?.tellLocalVideo(.failed, .codecNotSupported) }
          let name = track == LocalVideoTrack.camera.id ? "The camera's pictures" : "The pictures of track \(track)"
          self?.tellError(nil, .failed, "\(name) cannot be encoded: \(message)")
        }), registry: registry, snapshots: snapshots)
  }

  private func makeAudioSend(_ network: NetworkLoop) -> AudioSendPipeline {
    AudioSendPipeline(
      settings: intent.withLock { opusSettings($0) },
      hooks: AudioSendPipeline.Hooks(
        captured: { [echoTest] in echoTest.record($0) },
        firstCaptured: { [weak self] in self?.tellLocalAudio(.recording, .ok) },
        firstEncoded: { [weak self] in self?.tellLocalAudio(.encoding, .ok) },
        encoded: { [weak network] frame, level, target in network?.send(audio: frame, level: level, to: target) },
        failed: { [weak self] mix, message in
          if mix.microphone { self?.tellLocalAudio(.failed, .encodeFailure) }
          let name = mix.microphone ? "The microphone's sound" : "The sound of track \(mix.trackID ?? 0)"
          self?.tellError(nil, .failed, "\(name) cannot be encoded: \(message)")
        }), registry: registry, volumes: volumes)
  }
}

/// What is watched on a device's thread. A device that takes another's place may be running before that has stopped.
private final class Watch<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
