import LinuxIO
import MediaBase
import PictureFiles
import Synchronization

/// Keeps a PNG file at the newest picture, at most ten times a second, on a thread of its own.
final class PNGFileRenderer: VideoRenderer {
  private let path: String
  private let mailbox = Mailbox<VideoFrame?>(nil)
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  private static let shortestInterval = MediaDuration.milliseconds(100)

  init(path: String) {
    self.path = path
    thread.withLock { thread in
      thread = WorkerThread(name: "rtc-png") { [path, mailbox] in Self.run(path: path, mailbox: mailbox) }
    }
  }

  func render(_ frame: VideoFrame) { mailbox.post { $0 = frame } }

  func finish() {
    mailbox.close()
    thread.withLock { $0.take() }?.join()
    if let last = mailbox.access({ $0.take() }) { try? PNGFile.write(last, to: path) }
  }

  private static func run(path: String, mailbox: Mailbox<VideoFrame?>) {
    var nextTime = MediaInstant.zero
    while true {
      let wait = nextTime - MonotonicClock.now()
      guard wait <= .zero else {
        // The newest picture is still the newest when it is taken after the pause.
        guard mailbox.isOpen else { return }
        MonotonicClock.sleep(for: wait)
        continue
      }
      guard let frame = mailbox.wait({ $0.take() }) else { return }
      guard let frame else { continue }
      try? PNGFile.write(frame, to: path)
      nextTime = MonotonicClock.now() + shortestInterval
    }
  }
}
