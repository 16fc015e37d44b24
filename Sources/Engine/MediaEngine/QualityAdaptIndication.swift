/// How what is encoded has been adapted to the network since the last report. The raw values are those of the SDKs.
public enum QualityAdaptIndication: Int, Sendable, CaseIterable {
  /// It is as it was.
  case none = 0
  /// More is made of it, since the network carries more.
  case upBandwidth = 1
  /// Less is made of it, since the network carries less.
  case downBandwidth = 2
}
