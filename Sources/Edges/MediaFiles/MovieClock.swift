import MediaBase
import Synchronization

/// What keeps a file's pictures and its sound together: when its beginning was played. Usable from any thread.
final class MovieClock: Sendable {
  private let beginning = Mutex<MediaInstant?>(nil)

  /// How much of the file has been played at `instant`. The first question is what starts the clock; it never stops, as
  /// time does not stop in front of a camera that is off.
  func position(at instant: MediaInstant) -> MediaDuration {
    beginning.withLock { beginning in
      let start = beginning ?? instant
      beginning = start
      return instant - start
    }
  }
}
