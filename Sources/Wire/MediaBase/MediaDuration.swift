/// A length of time in whole nanoseconds; may be negative. Arithmetic saturates at about 292 years.
public struct MediaDuration: Hashable, Comparable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// Makes a duration from nanoseconds.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// No time at all.
  public static let zero = MediaDuration(nanoseconds: 0)

  /// `n` microseconds.
  @inlinable public static func microseconds(_ n: Int64) -> Self {
    Self(nanoseconds: SaturatingArithmetic.product(n, 1_000))
  }
  /// `n` milliseconds.
  @inlinable public static func milliseconds(_ n: Int64) -> Self {
    Self(nanoseconds: SaturatingArithmetic.product(n, 1_000_000))
  }
  /// `n` seconds.
  @inlinable public static func seconds(_ n: Int64) -> Self {
    Self(nanoseconds: SaturatingArithmetic.product(n, 1_000_000_000))
  }
  /// A fraction of seconds, rounded to the nearest nanosecond; values that do not fit saturate.
  @inlinable @_disfavoredOverload public static func seconds(_ n: Double) -> Self {
    Self(nanoseconds: Int64(exactly: (n * 1e9).rounded()) ?? (n < 0 ? .min : .max))
  }

  /// How long so many samples last, or steps of another clock; `rate` is in hertz.
  package static func samples(_ count: Int, rate: Int = 48_000) -> Self {
    Self(nanoseconds: Int64(count) * 1_000_000_000 / Int64(rate))
  }

  /// The length in whole milliseconds, rounded toward zero.
  @inlinable public var milliseconds: Int64 { nanoseconds / 1_000_000 }
  /// The length in seconds.
  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Whether the left one comes first.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  /// The sum.
  @inlinable public static func + (a: Self, b: Self) -> Self {
    Self(nanoseconds: SaturatingArithmetic.sum(a.nanoseconds, b.nanoseconds))
  }
  /// The difference.
  @inlinable public static func - (a: Self, b: Self) -> Self {
    Self(nanoseconds: SaturatingArithmetic.difference(a.nanoseconds, b.nanoseconds))
  }
  /// The multiple.
  @inlinable public static func * (a: Self, n: Int64) -> Self {
    Self(nanoseconds: SaturatingArithmetic.product(a.nanoseconds, n))
  }
  /// The part.
  @inlinable public static func / (a: Self, n: Int64) -> Self { Self(nanoseconds: a.nanoseconds / n) }
}
