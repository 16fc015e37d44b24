import LinuxIO
import MediaBase

/// The TCP connections of a worker: media for clients whose network lets no UDP through (RFC 6544 section 4.5).
///
/// Belongs to the worker's thread. A connection that has not proved to be a user's within some seconds is closed, and there
/// are never many of them, so that nobody can take the descriptors of those who are in channels.
final class MediaStreams {
  private struct Entry {
    var stream: DatagramStream
    let openTime: MediaInstant
    var lastHeard: MediaInstant
    var isProved = false
    /// Whether the loop tells when it can be written to.
    var isWatched = false
  }

  /// How long a connection may take for its first authentic check.
  static let proofTimeout = MediaDuration.milliseconds(10_000)
  /// How long a connection may be silent: longer than consent lasts.
  static let silenceTimeout = MediaDuration.milliseconds(40_000)
  static let sweepInterval = MediaDuration.milliseconds(1_000)
  /// Connections at most; and of those that have proved nothing yet, all and of one host.
  static let limits = (all: 8_192, unproved: 512, unprovedOfOneHost: 32)

  private let listener: TCPListener
  private let loop: EventLoop
  private let buffers = StreamBuffers()
  private var entries: [TransportAddress: Entry] = [:]
  /// How many connections of each host have proved nothing yet.
  private var unproved: [TransportAddress: Int] = [:]
  private var unprovedCount = 0
  private var receive: ((UnsafeMutableRawBufferPointer, TransportAddress, MediaInstant) -> Void)?
  private var closed: ((TransportAddress, MediaInstant) -> Void)?
  private var finished: ((MediaInstant) -> Void)?
  /// Connections that sending has found to be at their end.
  private var ended: [TransportAddress] = []
  /// Whether no connections are accepted until the next sweep.
  private var isPaused = false

  /// When `sweep` wants to be called; `nil` while there are no connections.
  private(set) var nextSweep: MediaInstant?

  init(listener: TCPListener, loop: EventLoop) {
    self.listener = listener
    self.loop = loop
  }

  /// Begins to accept connections.
  ///
  /// - Parameters:
  ///   - receive: gets each datagram, whose bytes it may change.
  ///   - closed: is told of each connection that has ended.
  ///   - finished: is called when all datagrams that had come are handed over.
  func begin(
    receive: @escaping (UnsafeMutableRawBufferPointer, TransportAddress, MediaInstant) -> Void,
    closed: @escaping (TransportAddress, MediaInstant) -> Void, finished: @escaping (MediaInstant) -> Void
  ) {
    self.receive = receive
    self.closed = closed
    self.finished = finished
    loop.add(fileDescriptor: listener.fileDescriptor) { [unowned self] in accept() }
  }

  /// Ends all connections and frees the port.
  func end() {
    for entry in entries.values {
      loop.remove(fileDescriptor: entry.stream.fileDescriptor)
      entry.stream.close()
    }
    entries.removeAll()
    loop.remove(fileDescriptor: listener.fileDescriptor)
    listener.close()
    (receive, closed, finished) = (nil, nil, nil)
  }

  /// Sends datagrams over the connection to `address`, if it is still there.
  func sendSegments(_ run: UnsafeRawBufferPointer, segmentSize: Int, to address: TransportAddress) {
    guard let entry = entries[address] else { return }
    guard entry.stream.sendSegments(run, segmentSize: segmentSize, using: buffers) else {
      ended.append(address)
      return nextSweep = .zero
    }
    watchWriting(address)
  }

  /// Closes what has ended, is silent, or has proved nothing in time.
  func sweep(now: MediaInstant, isProved: (TransportAddress) -> Bool) {
    guard let due = nextSweep, due <= now else { return }
    for address in ended { close(address, now: now) }
    ended.removeAll()
    for (address, entry) in entries {
      if !entry.isProved, isProved(address) {
        entries[address]?.isProved = true
        countUnproved(address, -1)
      }
      let hasProved = entries[address]?.isProved == true
      if now - entry.lastHeard >= Self.silenceTimeout || !hasProved && now - entry.openTime >= Self.proofTimeout {
        close(address, now: now)
      }
    }
    if isPaused {
      isPaused = false
      loop.add(fileDescriptor: listener.fileDescriptor) { [unowned self] in accept() }
    }
    nextSweep = entries.isEmpty ? nil : now + Self.sweepInterval
  }

  private func accept() {
    let now = MonotonicClock.now()
    for _ in 0..<64 {
      switch listener.accept() {
      case .none: return finished?(now) ?? ()
      case .exhausted:
        loop.remove(fileDescriptor: listener.fileDescriptor)
        isPaused = true
        nextSweep = nextSweep ?? now + Self.sweepInterval
        return finished?(now) ?? ()
      case .stream(let stream): add(stream, now: now)
      }
    }
    finished?(now)
  }

  private func add(_ stream: DatagramStream, now: MediaInstant) {
    let address = stream.remoteAddress
    guard entries[address] == nil, hasRoom(for: address) else { return stream.close() }
    guard loop.add(fileDescriptor: stream.fileDescriptor, { [unowned self] in serve(address) }) else {
      return stream.close()
    }
    entries[address] = Entry(stream: stream, openTime: now, lastHeard: now)
    countUnproved(address, 1)
    nextSweep = nextSweep ?? now + Self.sweepInterval
  }

  private func hasRoom(for address: TransportAddress) -> Bool {
    entries.count < Self.limits.all && unprovedCount < Self.limits.unproved
      && unproved[address.withPort(0), default: 0] < Self.limits.unprovedOfOneHost
  }

  private func countUnproved(_ address: TransportAddress, _ change: Int) {
    let count = unproved[address.withPort(0), default: 0] + change
    unproved[address.withPort(0)] = count > 0 ? count : nil
    unprovedCount += change
  }

  /// A connection can be read, written to, or has ended.
  private func serve(_ address: TransportAddress) {
    guard let entry = entries[address] else { return }
    let now = MonotonicClock.now()
    var hasHeard = false
    let isOpen = entry.stream.receive(using: buffers) { datagram in
      hasHeard = true
      receive?(datagram, address, now)
    }
    if hasHeard { entries[address]?.lastHeard = now }
    if isOpen, entry.stream.flush() { watchWriting(address) } else { close(address, now: now) }
    finished?(now)
  }

  private func watchWriting(_ address: TransportAddress) {
    guard let entry = entries[address], entry.stream.hasUnsent != entry.isWatched else { return }
    entries[address]?.isWatched = entry.stream.hasUnsent
    loop.watchWriting(fileDescriptor: entry.stream.fileDescriptor, entry.stream.hasUnsent)
  }

  private func close(_ address: TransportAddress, now: MediaInstant) {
    guard let entry = entries.removeValue(forKey: address) else { return }
    if !entry.isProved { countUnproved(address, -1) }
    loop.remove(fileDescriptor: entry.stream.fileDescriptor)
    entry.stream.close()
    closed?(address, now)
  }
}
