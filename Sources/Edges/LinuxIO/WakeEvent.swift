import CLinuxShims
import Glibc

/// Something that another thread can poll for: an eventfd. For telling a thread that waits on descriptors to look up.
public final class WakeEvent: Sendable {
  /// Readable from `signal()` until `clear()`; -1 if the system had no descriptor left.
  public let fileDescriptor: Int32

  /// Makes an event that has not been signalled.
  public init() { fileDescriptor = clx_eventfd() }

  deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

  /// Makes the descriptor readable. From any thread; never blocks.
  public func signal() {
    var one: UInt64 = 1
    while write(fileDescriptor, &one, 8) < 0, errno == EINTR {}
  }

  /// Makes the descriptor unreadable again.
  public func clear() {
    var count: UInt64 = 0
    while read(fileDescriptor, &count, 8) < 0, errno == EINTR {}
  }
}
