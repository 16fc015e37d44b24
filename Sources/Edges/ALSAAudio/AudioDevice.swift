/// A microphone or speaker that ALSA knows.
public struct AudioDevice: Hashable, Sendable {
  /// What to give to `MicrophoneSource` or `SpeakerPlayout`.
  public var name: String
  /// A name for people.
  public var description: String

  /// Makes a description from its parts.
  public init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
