/// What the sound mostly is, so that the encoder can choose its means.
public enum OpusApplication: Hashable, Sendable {
  /// Speech over a network.
  case voice
  /// Music, or anything that should sound as it did.
  case audio
  /// The least delay that the codec has, for people who make music together; no error correction.
  case lowDelay
}
