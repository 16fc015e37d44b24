/// What is done to a microphone's sound before it is encoded.
public struct AudioProcessingOptions: Hashable, Sendable {
  /// How much of steady noise is taken away; more of it also harms speech more.
  public enum NoiseSuppression: Int, Sendable, CaseIterable {
    /// Nothing is.
    case off = 0
    /// A little.
    case low = 1
    /// Some.
    case moderate = 2
    /// Much.
    case high = 3
    /// All that can be.
    case veryHigh = 4
  }

  /// Whether what the speaker plays is taken out of what the microphone hears.
  public var cancelsEcho: Bool
  /// How much of steady noise is taken away.
  public var noiseSuppression: NoiseSuppression
  /// Whether quiet speech is made louder and loud speech softer.
  public var controlsGain: Bool
  /// Whether what is below about 80 Hz is taken away.
  public var removesRumble: Bool

  /// Makes options; the defaults are those for talking.
  public init(
    cancelsEcho: Bool = true, noiseSuppression: NoiseSuppression = .high, controlsGain: Bool = true,
    removesRumble: Bool = true
  ) {
    self.cancelsEcho = cancelsEcho
    self.noiseSuppression = noiseSuppression
    self.controlsGain = controlsGain
    self.removesRumble = removesRumble
  }

  /// The sound stays as the microphone delivers it.
  public static let off = AudioProcessingOptions(
    cancelsEcho: false, noiseSuppression: .off, controlsGain: false, removesRumble: false)
}
