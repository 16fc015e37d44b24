/// Which picture a trace ends with. The raw values are those of the SDKs.
public enum MediaTraceEvent: Int, Sendable, CaseIterable {
  /// The first picture has been handed to a canvas.
  case videoRendered = 0
  /// The first picture has been decoded.
  case videoDecoded = 1
}
