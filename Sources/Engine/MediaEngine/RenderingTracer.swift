import EngineCore
import LinuxIO
import MediaBase
import Synchronization

/// The trace book of one connection, which several threads write in.
final class RenderingTracer: Sendable {
  private let book: Mutex<RenderingTraceBook>

  init(join: MediaInstant) { book = Mutex(RenderingTraceBook(join: join)) }

  func restart() { book.withLock { $0.restart(now: MonotonicClock.now()) } }
  func joined() { book.withLock { $0.connectionJoined(now: MonotonicClock.now()) } }
  func userJoined(_ uid: UInt) { book.withLock { $0.userJoined(uid, now: MonotonicClock.now()) } }
  func userOffline(_ uid: UInt) { book.withLock { $0.userOffline(uid) } }
  func viewSet(_ uid: UInt) { book.withLock { $0.viewSet(uid, now: MonotonicClock.now()) } }
  func subscribed(_ uid: UInt) { book.withLock { $0.subscribed(uid, now: MonotonicClock.now()) } }
  func packetReceived(_ uid: UInt) { book.withLock { $0.packetReceived(uid, now: MonotonicClock.now()) } }

  func finish(_ uid: UInt, _ event: MediaTraceEvent) -> VideoRenderingTracingInfo? {
    book.withLock { $0.finish(uid, event, now: MonotonicClock.now()) }
  }
}
