import Glibc
import LinuxIO
import Synchronization

/// One user who logs in, sends as fast as the connection takes it, and comes again whenever it is thrown out.
final class Flood: Sendable {
  private let hasEnded = Atomic(false)
  private let sent = Atomic(0)
  private let logins = Atomic(0)
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  /// Texts given to the system so far, and how often the user has logged in.
  var counts: (sent: Int, logins: Int) { (sent.load(ordering: .relaxed), logins.load(ordering: .relaxed)) }

  init(port: UInt16, uid: Int) {
    thread.withLock { $0 = WorkerThread(name: "flood") { [self] in run(port, uid) } }
  }

  func end() {
    hasEnded.store(true, ordering: .relaxed)
    thread.withLock { $0.take() }?.join()
  }

  private func run(_ port: UInt16, _ uid: Int) {
    var block: [UInt8] = []
    let perBlock = 700
    for number in 0..<perBlock {
      let text = Array("{\"type\":\"send\",\"requestID\":\(1_000 + number),\"to\":1,\"message\":\"flood\"}".utf8)
      block += [0x81, 0x80 | UInt8(text.count), 0, 0, 0, 0] + text
    }
    while !hasEnded.load(ordering: .relaxed) {
      guard let client = LoadClient(port: port, path: "/v1/signal") else { continue }
      var patience = timeval(tv_sec: 0, tv_usec: 100_000)
      setsockopt(client.descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      client.send("{\"type\":\"login\",\"version\":1,\"uid\":\(uid),\"token\":\"\"}")
      logins.wrappingAdd(1, ordering: .relaxed)
      while !hasEnded.load(ordering: .relaxed) {
        let count = send(client.descriptor, block, block.count, Int32(MSG_NOSIGNAL))
        // The server does not read: for as long as it likes.
        if count < 0, errno == EAGAIN { continue }
        guard count > 0 else { break }
        sent.wrappingAdd(count * perBlock / block.count, ordering: .relaxed)
      }
    }
  }
}
