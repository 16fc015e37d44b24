import LinuxIO
import MediaBase
import Synchronization

/// Carries datagrams between clients and a server, and loses all of them while it is closed.
final class Relay: Sendable {
  let port: UInt16
  private let loop = EventLoop()
  private let thread: WorkerThread
  private let open = Mutex(true)

  var isOpen: Bool {
    get { open.withLock { $0 } }
    set { open.withLock { $0 = newValue } }
  }

  /// What the thread owns.
  private final class Core: @unchecked Sendable {
    // @unchecked: touched on the relay's thread only.
    let front: UDPSocket
    let target: TransportAddress
    let loop: EventLoop
    let batch = DatagramBatch()
    /// A socket for each client, so that the server tells them apart.
    var backs: [TransportAddress: UDPSocket] = [:]
    var isOpen: () -> Bool = { true }

    init(front: UDPSocket, target: TransportAddress, loop: EventLoop) {
      self.front = front
      self.target = target
      self.loop = loop
    }

    func begin() { loop.add(fileDescriptor: front.fileDescriptor) { [unowned self] in carryIn() } }

    func carryIn() {
      front.receiveBatch(into: batch) { datagram, client in
        guard isOpen(), let back = back(of: client) else { return }
        back.send(UnsafeRawBufferPointer(datagram), to: target)
      }
    }

    func back(of client: TransportAddress) -> UDPSocket? {
      if let back = backs[client] { return back }
      guard let back = try? UDPSocket(host: "127.0.0.1", port: 0) else { return nil }
      backs[client] = back
      loop.add(fileDescriptor: back.fileDescriptor) { [unowned self, unowned back] in
        back.receiveBatch(into: batch) { datagram, _ in
          if isOpen() { front.send(UnsafeRawBufferPointer(datagram), to: client) }
        }
      }
      return back
    }

    func end() {
      for socket in [front] + backs.values {
        loop.remove(fileDescriptor: socket.fileDescriptor)
        socket.close()
      }
    }
  }

  init(to target: TransportAddress) throws {
    let front = try UDPSocket(host: "127.0.0.1", port: 0)
    port = front.localAddress.port
    let loop = loop
    let core = Core(front: front, target: target, loop: loop)
    loop.post { core.begin() }
    thread = WorkerThread(name: "relay") {
      loop.run()
      core.end()
    }
    loop.post { [weak self] in core.isOpen = { self?.isOpen ?? false } }
  }

  func stop() {
    loop.stop()
    thread.join()
  }
}
