public import MediaEngine

/// A moment on both clocks: the monotonic one for durations, the wall clock for messages.
public struct CallInstant: Hashable, Sendable {
  /// For durations.
  public var monotonic: MediaInstant
  /// Milliseconds since 1970.
  public var wallMilliseconds: Int64

  /// Makes an instant.
  public init(monotonic: MediaInstant, wallMilliseconds: Int64) {
    self.monotonic = monotonic
    self.wallMilliseconds = wallMilliseconds
  }
}
