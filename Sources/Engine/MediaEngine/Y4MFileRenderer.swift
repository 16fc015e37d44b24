import LinuxIO
import MediaBase
import PictureFiles
import Synchronization

/// Appends every picture to a Y4M file on a thread of its own. The first picture decides the size; others are scaled to it.
final class Y4MFileRenderer: VideoRenderer {
  private let mailbox = Mailbox<[VideoFrame]>([])
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  /// If the disk is slower than the pictures, the oldest waiting ones are dropped.
  private static let longestQueue = 30

  init(path: String) {
    thread.withLock { thread in
      thread = WorkerThread(name: "rtc-y4m") { [mailbox] in Self.run(path: path, mailbox: mailbox) }
    }
  }

  func render(_ frame: VideoFrame) {
    mailbox.post { frames in
      if frames.count >= Self.longestQueue { frames.removeFirst() }
      frames.append(frame)
    }
  }

  func finish() {
    mailbox.close()
    thread.withLock { $0.take() }?.join()
  }

  private static func run(path: String, mailbox: Mailbox<[VideoFrame]>) {
    var file = GrowingFile(path: path)
    while let frames = mailbox.wait({ frames in
      defer { frames.removeAll() }
      return frames
    }) {
      for frame in frames { file.append(frame) }
    }
    for frame in mailbox.access({ $0 }) { file.append(frame) }
  }

  private struct GrowingFile {
    let path: String
    var writer: Y4MWriter?
    var size = (width: 0, height: 0)
    var hasFailed = false
    let scaler = VideoScaler()

    init(path: String) { self.path = path }

    mutating func append(_ frame: VideoFrame) {
      guard !hasFailed else { return }
      do {
        if writer == nil {
          writer = try Y4MWriter(path: path, width: frame.width, height: frame.height, frameRate: 30)
          size = (frame.width, frame.height)
        }
        let picture =
          size == (frame.width, frame.height) ? frame : scaler.scale(frame, width: size.width, height: size.height)
        try writer?.write(picture)
      } catch {
        hasFailed = true
      }
    }
  }
}
