import Dispatch
import Foundation
import Glibc

/// Ends a command's wait: SIGINT and SIGTERM, a time limit, or somebody who has seen enough.
final class Interruption: @unchecked Sendable {
  // @unchecked: the sources are only kept alive here, never touched again.

  private let semaphore = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    let semaphore = semaphore
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { semaphore.signal() }
      source.activate()
      return source
    }
  }

  /// Wakes whoever waits.
  func end() { semaphore.signal() }

  /// Wakes whoever waits, after a time.
  func end(after seconds: Double) {
    let semaphore = semaphore
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(seconds * 1e9))) { semaphore.signal() }
  }

  /// Wakes whoever waits when standard input ends.
  func endWithStandardInput() {
    let semaphore = semaphore
    Thread.detachNewThread {
      while readLine() != nil {}
      semaphore.signal()
    }
  }

  /// Waits until it is ended, at most `seconds` (`nil`: without limit). Whether it was ended before.
  @discardableResult func wait(seconds: Double?) -> Bool {
    guard let seconds else {
      semaphore.wait()
      return true
    }
    return semaphore.wait(timeout: .now() + .nanoseconds(Int(seconds * 1e9))) == .success
  }
}
