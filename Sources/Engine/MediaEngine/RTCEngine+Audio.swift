import AudioProcessing
import EngineCore
import MediaBase

extension RTCEngine {
  /// How sound is encoded, at once: profile and, if given, scenario. Any time.
  @discardableResult public func setAudioProfile(_ profile: AudioProfile, scenario: AudioScenario? = nil) -> Int {
    runtime.change { [runtime] intent, parts in
      intent.audioProfile = profile
      intent.audioScenario = scenario ?? intent.audioScenario
      parts.audioSend.setSettings(runtime.opusSettings(intent))
      runtime.voice.setOptions(runtime.processing(intent))
      return .ok
    }
  }

  /// What is done to the microphone's sound before anything else sees it, at once: echo cancellation, noise suppression,
  /// gain control. `nil`, as at first, for what suits the scenario. Only microphones are processed, not files and tones
  /// (`AudioSource.hearsRoom`).
  @discardableResult public func setAudioProcessing(_ options: AudioProcessingOptions?) -> Int {
    runtime.change { [runtime] intent, _ in
      intent.audioProcessing = options
      runtime.voice.setOptions(runtime.processing(intent))
      return .ok
    }
  }

  /// What sound is for, at once. Any time.
  @discardableResult public func setAudioScenario(_ scenario: AudioScenario) -> Int {
    runtime.change { [runtime] intent, parts in
      intent.audioScenario = scenario
      parts.audioSend.setSettings(runtime.opusSettings(intent))
      runtime.voice.setOptions(runtime.processing(intent))
      return .ok
    }
  }

  /// How loud the microphone is sent, in percent of what it delivers: 0 to 400.
  ///
  /// - Returns: 0; -2 (out of range), -7.
  @discardableResult public func adjustRecordingSignalVolume(_ volume: Int) -> Int {
    runtime.change { _, parts in
      guard (0...400).contains(volume) else { return .invalidArgument }
      parts.audioSend.setVolume(volume)
      return .ok
    }
  }

  /// How loud everybody together is played, in percent: 0 to 400.
  ///
  /// - Returns: 0; -2 (out of range), -7.
  @discardableResult public func adjustPlaybackSignalVolume(_ volume: Int) -> Int {
    runtime.change { _, parts in
      guard (0...400).contains(volume) else { return .invalidArgument }
      parts.audioReceive.setMasterVolume(volume)
      return .ok
    }
  }

  /// Sends silence instead of the microphone, or the microphone again. Nobody is told, unlike with muting.
  @discardableResult public func muteRecordingSignal(_ mute: Bool) -> Int {
    runtime.change { _, parts in
      parts.audioSend.setSilenced(mute)
      return .ok
    }
  }

  /// Reports who is how loud, on every connection.
  ///
  /// - Parameters:
  ///   - interval: milliseconds between reports, more than 10; better not less than 100. 0 or less turns reports off.
  ///   - smooth: 0 (as measured) to 10 (slowest to follow); 3 is usual.
  ///   - reportVAD: whether to find out if the local user speaks, and at what pitch.
  /// - Returns: 0; -2 (an interval of 1 to 10, `smooth` out of range), -7.
  @discardableResult
  public func enableAudioVolumeIndication(interval: Int, smooth: Int = 3, reportVAD: Bool = false) -> Int {
    runtime.change { _, parts in
      guard interval <= 0 || interval > 10, (0...10).contains(smooth) else { return .invalidArgument }
      parts.network.setVolumeIndication(
        interval > 0
          ? VolumeSettings(
            interval: .milliseconds(Int64(min(interval, 3_600_000))), smooth: smooth, reportVAD: reportVAD) : nil)
      return .ok
    }
  }
}
