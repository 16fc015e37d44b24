/// How a track of the application's own sound is published. The raw values are those of the SDKs.
public enum AudioTrackType: Int, Sendable, CaseIterable {
  /// Added to the microphone where that is published too, on any number of connections.
  case mixable = 0
  /// As it is, in the microphone's place, on one connection.
  case direct = 1
}
