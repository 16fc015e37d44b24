import Glibc
import LinuxIO
import Synchronization

/// Passes bytes between one client and a server, until it is frozen: then it takes everything and passes nothing on, as a
/// network does that has gone.
final class FreezingRelay: Sendable {
  private let listener: Int32
  private let isFrozen = Atomic(false)
  private let hasEnded = Atomic(false)
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  init(to server: UInt16) {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Listening without an address is listening at a free port.
    listen(listener, 1)
    thread.withLock { $0 = WorkerThread(name: "relay") { [self] in run(server) } }
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  func freeze() { isFrozen.store(true, ordering: .relaxed) }

  func end() {
    hasEnded.store(true, ordering: .relaxed)
    shutdown(listener, Int32(SHUT_RDWR))
    thread.withLock { $0.take() }?.join()
    close(listener)
  }

  private func run(_ server: UInt16) {
    let client = accept(listener, nil, nil)
    guard client >= 0, let other = RawConnection(port: server) else { return }
    defer { close(client) }
    var descriptors = [client, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !hasEnded.load(ordering: .relaxed) {
      guard poll(&descriptors, 2, 50) >= 0 else { return }
      for index in 0..<2 where descriptors[index].revents != 0 {
        let count = recv(descriptors[index].fd, &buffer, buffer.count, 0)
        guard count > 0 else { return }
        if !isFrozen.load(ordering: .relaxed) { send(descriptors[1 - index].fd, buffer, count, Int32(MSG_NOSIGNAL)) }
      }
    }
  }
}
