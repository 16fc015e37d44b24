import LinuxIO
public import MediaBase
public import MediaEngine
import Synchronization

/// Waits for decoded pictures of an engine's remote users.
public final class PictureWatch: Sendable {
  private let firsts = Mutex<[String: MediaInstant]>([:])
  private let lasts = Mutex<[String: MediaInstant]>([:])

  /// Watches an engine in place of its earlier observer.
  public init(_ engine: RTCEngine) {
    engine.setRemoteVideoFrameObserver { [weak self] remote in
      let now = MonotonicClock.now()
      self?.lasts.withLock { $0[remote.connection.channelID] = now }
      self?.firsts.withLock { firsts in
        if firsts[remote.connection.channelID] == nil { firsts[remote.connection.channelID] = now }
      }
    }
  }

  /// When the newest picture of a channel was decoded.
  public func last(channel: String) -> MediaInstant? { lasts.withLock { $0[channel] } }

  /// Forgets earlier pictures.
  public func clear() { firsts.withLock { $0.removeAll() } }

  /// Waits for the first picture of a channel since `clear()`; milliseconds since `begin`.
  public func wait(channel: String, since begin: MediaInstant, seconds: Double = 5) -> Double? {
    poll(seconds: seconds) { firsts.withLock { $0[channel] } }
      .map { Double(($0 - begin).nanoseconds) / 1e6 }
  }
}

/// Looks every 200 µs until `body` has a value or the time is over. The time that is measured is taken elsewhere.
public func poll<Value>(seconds: Double, _ body: () -> Value?) -> Value? {
  let limit = MonotonicClock.now() + .seconds(seconds)
  while MonotonicClock.now() < limit {
    if let value = body() { return value }
    MonotonicClock.sleep(for: .microseconds(200))
  }
  return nil
}
