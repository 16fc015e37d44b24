import LinuxIO
import MediaBase
import Synchronization

/// Carries datagrams between clients and a server. It loses all of them while it is closed, and can be made narrow
/// towards the clients, like a line with a queue before it.
final class Relay: Sendable {
  let port: UInt16
  private let loop = EventLoop()
  private let thread: WorkerThread
  private let open = Mutex(true)
  private let core: Core

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
    var line = NarrowLine()

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
          if isOpen() { carryOut(UnsafeRawBufferPointer(datagram), to: client) }
        }
      }
      return back
    }

    func carryOut(_ datagram: UnsafeRawBufferPointer, to client: TransportAddress) {
      let now = MonotonicClock.now()
      guard line.isNarrow else {
        front.send(datagram, to: client)
        return
      }
      line.add(Array(datagram), to: client, now: now)
      deliverDue(now: now)
    }

    func deliverDue(now: MediaInstant) {
      while let flight = line.takeDue(now: now) {
        _ = flight.datagram.withUnsafeBytes { front.send($0, to: flight.client) }
      }
      loop.setTimer(at: line.next) { [unowned self] in deliverDue(now: MonotonicClock.now()) }
    }

    /// What comes from clients goes to the server from other ports, as after a NAT has forgotten them.
    func rebind() {
      for back in backs.values {
        loop.remove(fileDescriptor: back.fileDescriptor)
        back.close()
      }
      backs = [:]
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
    self.core = core
    loop.post { core.begin() }
    thread = WorkerThread(name: "relay") {
      loop.run()
      core.end()
    }
    loop.post { [weak self] in core.isOpen = { self?.isOpen ?? false } }
  }

  /// How much goes through towards clients from now on; `nil` for everything.
  func narrow(bitsPerSecond: Int?) {
    let core = core
    loop.post { core.line.bitsPerSecond = bitsPerSecond }
  }

  /// Gives every client another address at the server, and gives up the present one.
  func rebind() {
    let core = core
    loop.post { core.rebind() }
  }

  func stop() {
    loop.stop()
    thread.join()
  }
}

/// A line of a certain rate, with a queue of 300 ms before it, or of 30 packets where these take longer.
struct NarrowLine {
  struct Flight {
    var due: MediaInstant
    var datagram: [UInt8]
    var client: TransportAddress
  }

  private static let longestWait = MediaDuration.milliseconds(300)
  private static let leastPackets = 30

  var bitsPerSecond: Int?
  private var flights: [Flight] = []
  private var isFree = MediaInstant.zero

  /// Whether datagrams have to go this way; also those behind others that still wait here.
  var isNarrow: Bool { bitsPerSecond != nil || !flights.isEmpty }
  var next: MediaInstant? { flights.first?.due }

  mutating func add(_ datagram: [UInt8], to client: TransportAddress, now: MediaInstant) {
    let begin = max(now, isFree)
    if begin - now > Self.longestWait, flights.count >= Self.leastPackets { return }
    if let bitsPerSecond {
      isFree = begin + MediaDuration(nanoseconds: Int64(datagram.count + 28) * 8_000_000_000 / Int64(bitsPerSecond))
    }
    flights.append(Flight(due: max(isFree, now), datagram: datagram, client: client))
  }

  mutating func takeDue(now: MediaInstant) -> Flight? {
    guard let first = flights.first, first.due <= now else { return nil }
    return flights.removeFirst()
  }
}
