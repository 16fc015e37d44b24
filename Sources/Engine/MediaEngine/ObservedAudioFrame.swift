import MediaBase

/// A piece of sound, as observers get it: 10 ms at 48 kHz.
public struct ObservedAudioFrame: Sendable {
  /// Where in the engine the sound was observed.
  public enum Position: Hashable, Sendable {
    /// As the microphone delivered it.
    case recorded
    /// One remote user's, before mixing and before the playback volume.
    case beforeMixing(connection: RTCConnection, uid: UInt)
    /// What is played: everything remote, mixed.
    case playback
  }

  /// Where.
  public var position: Position
  /// The sound.
  public var frame: AudioFrame
  /// Its loudness, 0 (silent) to 255.
  public var level: Int
}
