import Glibc
public import MediaBase

/// The time of day.
public enum WallClock {
  /// From 1900 to 1970, in seconds (RFC 5905 section 6).
  private static let secondsTo1970: Int64 = 2_208_988_800

  /// From the monotonic clock to the time since 1900, as of now. Where the system sets its clock later, this does not follow.
  public static func offset() -> MediaDuration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let seconds = Int64(time.tv_sec) &+ secondsTo1970
    let wall = MediaInstant(nanoseconds: seconds &* 1_000_000_000 &+ Int64(time.tv_nsec))
    return wall - MonotonicClock.now()
  }
}
