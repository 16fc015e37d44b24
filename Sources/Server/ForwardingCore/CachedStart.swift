public import MediaBase

/// How much of the time before a subscriber came it may get at once: the last key frame and everything that has followed,
/// if the server still has all of that.
public struct CachedStart: Hashable, Sendable {
  /// How long ago the key frame may have started.
  public var age: MediaDuration
  /// How many packets that may be.
  public var packetCount: Int
  /// How many bytes of payload that may be.
  public var byteCount: Int

  /// Makes a limit.
  public init(age: MediaDuration = .seconds(Int64(2)), packetCount: Int = 300, byteCount: Int = 400_000) {
    self.age = age
    self.packetCount = packetCount
    self.byteCount = byteCount
  }
}
