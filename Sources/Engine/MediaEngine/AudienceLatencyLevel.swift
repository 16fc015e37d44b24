/// How far an audience may be behind. The raw values are those of the SDKs.
public enum AudienceLatencyLevel: Int, Sendable, CaseIterable {
  /// Smoother: sound is held back by at least 200 ms, so that an uneven network is not heard.
  case lowLatency = 1
  /// As soon as possible: sound is held back as little as the network allows, 20 ms at least. The default, and the only
  /// level of a broadcaster.
  case ultraLowLatency = 2
}
