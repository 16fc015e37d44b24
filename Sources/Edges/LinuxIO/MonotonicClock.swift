import Glibc
import MediaBase

/// The system's `CLOCK_MONOTONIC`: the clock that instants of the running program belong to.
public enum MonotonicClock {
  /// The present instant. About 30 ns; usable from any thread.
  public static func now() -> MediaInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MediaInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// Blocks the calling thread for at least `duration`; not at all if it is zero or negative.
  public static func sleep(for duration: MediaDuration) {
    guard duration > .zero else { return }
    sleep(until: now() + duration)
  }

  /// Blocks the calling thread until `instant`. Repeated sleeps to instants of a fixed step do not drift.
  public static func sleep(until instant: MediaInstant) {
    guard instant.nanoseconds > 0 else { return }
    var time = instant.timeSpecification
    while clock_nanosleep(CLOCK_MONOTONIC, clockNanosleepAbsolute, &time, nil) == EINTR {}
  }

  /// `TIMER_ABSTIME`.
  private static let clockNanosleepAbsolute: Int32 = 1
}

extension MediaInstant {
  /// The instant as the kernel takes it; at least 1 ns, since 0 means "never" to timers.
  var timeSpecification: timespec {
    let positive = max(nanoseconds, 1)
    return timespec(tv_sec: Int(positive / 1_000_000_000), tv_nsec: Int(positive % 1_000_000_000))
  }
}
