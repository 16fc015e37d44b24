import LinuxIO
import MediaBase
import Synchronization

/// Reads what all clients get, on a thread of its own; confirms texts, and notes how long they took.
final class LoadReader: Sendable {
  /// Milliseconds from sending to reading, of each text.
  let delays = Mutex<[Double]>([])
  private let loop = EventLoop()
  private let thread: WorkerThread

  init() {
    let loop = loop
    thread = WorkerThread(name: "reader") { loop.run() }
  }

  /// Reads for a client from now on.
  func watch(_ client: LoadClient) {
    nonisolated(unsafe) let client = client
    loop.post { [self] in
      loop.add(fileDescriptor: client.descriptor) { [self] in
        // Ended by the server: once is enough.
        if client.read() <= 0 { loop.remove(fileDescriptor: client.descriptor) }
        while let text = client.nextText() { take(text, client) }
      }
    }
  }

  func end() {
    loop.stop()
    thread.join()
  }

  private func take(_ text: String, _ client: LoadClient) {
    guard let mark = text.range(of: "sent at "), let sequence = text.range(of: "\"sequence\":") else { return }
    let now = MonotonicClock.now().nanoseconds
    if let time = Int64(text[mark.upperBound...].prefix { $0.isNumber }) {
      delays.withLock { $0.append(Double(now - time) / 1e6) }
    }
    client.send("{\"type\":\"received\",\"sequence\":\(text[sequence.upperBound...].prefix { $0.isNumber })}")
  }
}
