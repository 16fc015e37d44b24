/// Counters of an `AudioJitterBuffer` since its beginning.
public struct AudioJitterStatistics: Hashable, Sendable {
  /// Packets handed in.
  public var packetsReceived = 0
  /// Packets handed out.
  public var packetsPlayed = 0
  /// Packets that came after their time, or when the buffer was full.
  public var packetsLate = 0
  /// Packets that were there already, or that are no Opus packets.
  public var packetsRefused = 0
  /// Packets left out to make the delay shorter.
  public var packetsSkipped = 0
  /// Samples at 48 kHz made up because a packet was missing.
  public var samplesConcealed = 0
  /// Samples at 48 kHz made up to make the delay longer.
  public var samplesStretched = 0
  /// Samples at 48 kHz of silence: before the first packet, while the sender is silent, and after long gaps.
  public var samplesSilent = 0
  /// Times when playing stopped because nothing came, or the sender began anew.
  public var restarts = 0
}
