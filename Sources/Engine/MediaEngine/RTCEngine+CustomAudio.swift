import EngineCore
import LinuxIO
import MediaBase

extension RTCEngine {
  /// Makes a track for sound that the application has itself: `pushAudioFrame(_:trackID:)` gives it to the track, and the
  /// connections whose options have `publishCustomAudioTrack` with its number publish it. Each connection may publish
  /// another track.
  ///
  /// - Parameter type: whether the track is added to the microphone, and goes to any number of connections, or takes the
  ///   microphone's place on one.
  /// - Returns: the track's number, from 1 on, never used again; -22 (64 tracks are there), -7.
  @discardableResult public func createCustomAudioTrack(type: AudioTrackType = .mixable) -> Int {
    addTrack { intent, parts, id in
      intent.customAudioTracks[id] = type
      parts.audioSend.setTracks(Set(intent.customAudioTracks.keys))
    }
  }

  /// Ends a track. Connections that publish it go on with their microphone, if that is published.
  ///
  /// - Returns: 0; -2 (no such track), -7.
  @discardableResult public func destroyCustomAudioTrack(_ trackID: Int) -> Int {
    runtime.change { intent, parts in
      guard intent.customAudioTracks.removeValue(forKey: trackID) != nil else { return .invalidArgument }
      for index in intent.connections.indices { intent.connections[index].tracks.forgetAudio(trackID) }
      parts.audioSend.setTracks(Set(intent.customAudioTracks.keys))
      return .ok
    }
  }

  /// Gives a track its next sound, from any thread, in real time: up to 100 ms a call, as much as has passed since the last.
  /// What is more than 200 ms ahead of the microphone that it is added to is left out, oldest first; while nothing is given,
  /// the microphone goes alone. Sound of a track that nobody publishes is dropped. The volume of the microphone, its
  /// processing and its observers do not concern tracks.
  ///
  /// - Parameters:
  ///   - frame: 1 or 2 channels at 48 kHz. `AudioFrame.captureTime` is of the first sample on the monotonic clock, at most
  ///     10 s away; `.zero` means that the last sample is of now.
  ///   - trackID: what `createCustomAudioTrack(type:)` has returned.
  /// - Returns: 0; -2 (no such track, no or too much sound, another rate, number of channels or time), -7.
  @discardableResult public func pushAudioFrame(_ frame: AudioFrame, trackID: Int) -> Int {
    guard let parts = runtime.parts.get() else { return -EngineErrorCode.notInitialized.rawValue }
    let now = MonotonicClock.now()
    guard frame.sampleRate == 48_000, frame.channelCount == 1 || frame.channelCount == 2,
      (1...4_800).contains(frame.frameCount), frame.samples.count == frame.frameCount * frame.channelCount,
      frame.captureTime == .zero || frame.captureTime.isNear(now),
      parts.audioSend.push(frame, track: trackID, now: now)
    else { return -EngineErrorCode.invalidArgument.rawValue }
    return 0
  }
}
