import Glibc
import Synchronization

/// Knows which threads are inside a callback of the application's, so that `destroy()` called there does not wait for its
/// own caller.
final class CallbackRegistry: Sendable {
  private let depths = Mutex<[UInt: Int]>([:])

  /// Runs an application's closure.
  func call(_ body: () -> Void) {
    let thread = UInt(pthread_self())
    depths.withLock { $0[thread, default: 0] += 1 }
    body()
    depths.withLock { depths in
      let depth = (depths[thread] ?? 1) - 1
      depths[thread] = depth > 0 ? depth : nil
    }
  }

  /// Whether the calling thread is inside a callback.
  var isInsideCallback: Bool {
    let thread = UInt(pthread_self())
    return depths.withLock { $0[thread] != nil }
  }
}
