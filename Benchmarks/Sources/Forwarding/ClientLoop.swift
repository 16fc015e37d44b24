import CForwardingFloor
import LinuxIO
import MediaBase

/// The thread on which all clients receive and keep their connections alive.
final class ClientLoop: @unchecked Sendable {
  // @unchecked: everything is touched on the loop's thread, after it has started.
  private let loop = EventLoop()
  private let batch: OpaquePointer
  private let runs: UnsafeMutablePointer<gro_run>
  private var clients: [MediaClient] = []
  private var thread: WorkerThread?

  init() {
    batch = gro_batch_make()
    runs = .allocate(capacity: 16)
    thread = WorkerThread(name: "clients") { [loop] in loop.run() }
    loop.post { [self] in setTimer() }
  }

  /// Has a client connect and be served from now on.
  func add(_ client: MediaClient, _ path: MediaPath) {
    loop.post { [self] in
      clients.append(client)
      loop.add(fileDescriptor: client.socket.fileDescriptor) { [self] in receive(client) }
      client.begin(path, now: MonotonicClock.now())
    }
  }

  /// Lets all clients go and ends the thread.
  func stop() {
    loop.post { [self] in
      for client in clients {
        loop.remove(fileDescriptor: client.socket.fileDescriptor)
        client.socket.close()
      }
      clients.removeAll()
    }
    loop.stop()
    thread?.join()
    gro_batch_free(batch)
    runs.deallocate()
  }

  private func receive(_ client: MediaClient) {
    let now = MonotonicClock.now()
    while true {
      let count = Int(gro_receive(client.socket.fileDescriptor, batch, runs))
      for position in 0..<count { client.receive(runs[position], now: now) }
      if count < 16 { return }
    }
  }

  private func setTimer() {
    loop.setTimer(at: MonotonicClock.now() + .milliseconds(100)) { [self] in
      let now = MonotonicClock.now()
      for client in clients { client.handleTimeout(now: now) }
      setTimer()
    }
  }
}
