import Testing

extension InteropTests {
  /// Browsers are heavy: these suites take turns.
  @Suite("Calls in browsers", .serialized, .timeLimit(.minutes(10)))
  enum CallsInBrowsers {}
}
