import CForwardingFloor
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// The thread on which all clients receive and keep their connections alive.
///
/// It looks every millisecond instead of waiting: a server whose every packet wakes a sleeper would be measured with that.
/// Latencies do not suffer, since the kernel stamps packets as they come.
final class ClientLoop: @unchecked Sendable {
  // @unchecked: apart from the atomic and what has a lock, everything is touched on the loop's thread.
  private let added = Mutex<[(client: MediaClient, path: MediaPath)]>([])
  private let isEnding = Atomic<Bool>(false)
  /// Whether the clients say nothing at all for a while.
  private let isSilent = Atomic<Bool>(false)
  private let poller = poller_make()
  private let batch: OpaquePointer
  private let runs: UnsafeMutablePointer<gro_run>
  private let ready: UnsafeMutablePointer<UInt32>
  private var clients: [MediaClient] = []
  private var nextTimeout = MediaInstant.zero
  private var thread: WorkerThread?

  init() {
    batch = gro_batch_make()
    runs = .allocate(capacity: 16)
    ready = .allocate(capacity: 256)
    thread = WorkerThread(name: "clients") { [self] in run() }
  }

  /// Has a client connect and be served from now on.
  func add(_ client: MediaClient, _ path: MediaPath) { added.withLock { $0.append((client, path)) } }

  /// Has all clients say nothing from now on, not even checks; or go on. For less than the time of consent.
  func silence(_ silent: Bool) { isSilent.store(silent, ordering: .relaxed) }

  /// Lets all clients go and ends the thread.
  func stop() {
    isEnding.store(true, ordering: .relaxed)
    thread?.join()
    for client in clients { client.socket.close() }
    close(poller)
    gro_batch_free(batch)
    runs.deallocate()
    ready.deallocate()
  }

  private func run() {
    while !isEnding.load(ordering: .relaxed) {
      let now = MonotonicClock.now()
      begin(now: now)
      var count = 0
      repeat {
        count = Int(poller_ready(poller, ready, 256))
        for position in 0..<count { receive(clients[Int(ready[position])], now: now) }
      } while count == 256
      if nextTimeout <= now, !isSilent.load(ordering: .relaxed) {
        for client in clients { client.handleTimeout(now: now) }
        nextTimeout = now + .milliseconds(100)
      }
      MonotonicClock.sleep(for: .milliseconds(1))
    }
  }

  private func begin(now: MediaInstant) {
    let new = added.withLock { added in
      defer { added.removeAll() }
      return added
    }
    for (client, path) in new {
      _ = poller_add(poller, client.socket.fileDescriptor, UInt32(clients.count))
      clients.append(client)
      client.begin(path, now: now)
    }
  }

  private func receive(_ client: MediaClient, now: MediaInstant) {
    while true {
      let count = Int(gro_receive(client.socket.fileDescriptor, batch, runs))
      for position in 0..<count { client.receive(runs[position], now: now) }
      if count < 16 { return }
    }
  }
}
