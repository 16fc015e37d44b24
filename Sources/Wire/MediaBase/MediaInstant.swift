/// A point on a monotonic clock, in nanoseconds since an origin that only the clock's owner knows.
///
/// Sans-IO code never reads a clock: it is handed instants. In production they come from `CLOCK_MONOTONIC`, in
/// simulations from a virtual clock. Instants of different clocks must not be compared. Arithmetic saturates.
public struct MediaInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the clock's origin.
  public var nanoseconds: Int64

  /// Makes an instant from nanoseconds since the clock's origin.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The clock's origin.
  public static let zero = MediaInstant(nanoseconds: 0)

  /// Whether the left one comes first.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The sum.
  @inlinable public static func + (instant: Self, duration: MediaDuration) -> Self {
    Self(nanoseconds: SaturatingArithmetic.sum(instant.nanoseconds, duration.nanoseconds))
  }

  /// The difference.
  @inlinable public static func - (instant: Self, duration: MediaDuration) -> Self {
    Self(nanoseconds: SaturatingArithmetic.difference(instant.nanoseconds, duration.nanoseconds))
  }

  /// How much later `a` is than `b`; negative if it is earlier.
  @inlinable public static func - (a: Self, b: Self) -> MediaDuration {
    MediaDuration(nanoseconds: SaturatingArithmetic.difference(a.nanoseconds, b.nanoseconds))
  }
}

extension MediaInstant {
  /// The earlier of two optional deadlines; `nil` stands for "never".
  @inlinable public static func earliest(_ a: Self?, _ b: Self?) -> Self? {
    guard let a else { return b }
    guard let b else { return a }
    return min(a, b)
  }
}
