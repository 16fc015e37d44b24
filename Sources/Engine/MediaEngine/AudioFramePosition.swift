/// Where on its way through the engine sound is given to an `RTCAudioFrameDelegate`.
public struct AudioFramePosition: OptionSet, Hashable, Sendable {
  /// The positions as bits.
  public let rawValue: Int

  /// Makes a set of positions from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// All remote users together, about to be played.
  public static let playback = AudioFramePosition(rawValue: 1 << 0)
  /// The microphone's, without its echo and noise.
  public static let record = AudioFramePosition(rawValue: 1 << 1)
  /// The microphone's and what is played, together. For listening only.
  public static let mixed = AudioFramePosition(rawValue: 1 << 2)
  /// Each remote user's alone.
  public static let beforeMixing = AudioFramePosition(rawValue: 1 << 3)
}
