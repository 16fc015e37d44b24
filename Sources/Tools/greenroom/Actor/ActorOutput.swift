import Foundation
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// Writes reports to standard output, one line each, from any thread.
final class ActorOutput: Sendable {
  private let lock = Mutex(())

  /// Writes a report with the present time.
  func send(_ report: ActorReport) {
    var report = report
    report.time = MonotonicClock.now().nanoseconds
    // Nothing in a report can fail to be encoded.
    guard var line = try? JSONEncoder().encode(report) else { return }
    line.append(UInt8(ascii: "\n"))
    lock.withLock { _ in
      line.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          guard count > 0 else { return }
          rest = rest.dropFirst(count)
        }
      }
    }
  }
}
