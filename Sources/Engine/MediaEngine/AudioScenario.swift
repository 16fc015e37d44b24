/// What sound is for: which means the encoder chooses within the profile. The raw values are those of the SDKs.
public enum AudioScenario: Int, Sendable, CaseIterable {
  /// As the profile says.
  case `default` = 0
  /// High fidelity: the encoder's best work, as music.
  case gameStreaming = 3
  /// Frequent changes of role and mute: as the default; the microphone stays open for half a second after its last use.
  case chatRoom = 5
  /// Singing together: the codec's low-delay mode.
  case chorus = 7
  /// Meetings: speech, with more protection from losses.
  case meeting = 8
  /// Talking to a machine: speech, with the most protection from losses.
  case aiServer = 9
  /// The machine's side of it.
  case aiClient = 10
}
