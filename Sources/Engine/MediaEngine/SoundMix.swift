/// What a connection's sound is made of. Connections with equal mixes share one encoder.
struct SoundMix: Hashable, Sendable {
  /// The microphone's number, where tracks have theirs.
  static let microphoneID = 0

  var microphone: Bool
  /// The application's track, if it is published.
  var trackID: Int?

  static let microphone = SoundMix(microphone: true)

  var isEmpty: Bool { !microphone && trackID == nil }

  func contains(_ id: Int) -> Bool { id == Self.microphoneID ? microphone : id == trackID }
}
