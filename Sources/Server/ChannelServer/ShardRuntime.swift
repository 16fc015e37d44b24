import ChannelCore
import ControlWire
import ForwardingCore
import LinuxIO
import MediaBase
import MultiBufferCrypto
import OpenSSLCrypto
import SecureChannel
import Synchronization

/// What a worker's thread owns.
///
/// A turn takes all datagrams that are waiting (up to a limit), then sends everything that follows from them, so that runs
/// of packets for one subscriber become one system call.
final class ShardRuntime: @unchecked Sendable {
  // @unchecked: apart from `published`, everything is touched on the worker's thread only.

  /// A copy of the statistics for other threads.
  let published = Mutex<ShardStatistics?>(nil)
  var deliver: (@Sendable ([ControlDelivery]) -> Void)?
  var notePresence: (@Sendable (ChannelPresence) -> Void)?

  private let socket: UDPSocket
  private let streams: MediaStreams
  private let loop: EventLoop
  private let batch = DatagramBatch()
  private let slab: UnsafeMutableRawBufferPointer
  private var shard: ChannelShard
  private var floodGuard = FloodGuard()
  private var timeout: MediaInstant?
  /// Called when it has come; made once, since each making takes memory.
  private var onTimeout: () -> Void = {}
  /// When `published` was written last; zero to write it in any case.
  private var publishTime = MediaInstant.zero

  /// Batches of one turn at most: timers and control messages get their chance too.
  private static let batchLimit = 8

  init(
    socket: UDPSocket, listener: TCPListener, candidates: [TransportAddress], loudestSpeakers: Int,
    dtls: any DTLSProvider, loop: EventLoop
  ) {
    self.socket = socket
    streams = MediaStreams(listener: listener, loop: loop)
    self.loop = loop
    slab = .allocate(byteCount: 65_536, alignment: 64)
    var configuration = ShardConfiguration(
      candidates: candidates.map {
        CandidateAddress(host: $0.host, port: $0.port, transport: $0.transport == .tcp ? "tcp" : nil)
      })
    configuration.forwarding.loudestSpeakers = loudestSpeakers
    shard = ChannelShard(
      configuration: configuration,
      crypto: MultiBufferCrypto.provider(over: OpenSSLCrypto.provider) ?? OpenSSLCrypto.provider, dtls: dtls,
      randomBytes: { count in
        // Without a generator there can be no keys; libcrypto's fails only if the system has none.
        OpenSSLCrypto.randomBytes(count: count) ?? Self.systemRandomBytes(count)
      }, now: MonotonicClock.now())
  }

  deinit { slab.deallocate() }

  private static func systemRandomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  func begin() {
    onTimeout = { [unowned self] in handleTimeout() }
    loop.add(fileDescriptor: socket.fileDescriptor) { [unowned self] in receiveDatagrams() }
    streams.begin(
      receive: { [unowned self] datagram, source, now in shard.receive(datagram: datagram, from: source, now: now) },
      closed: { [unowned self] address, now in shard.pathClosed(address, now: now) },
      finished: { [unowned self] now in finishTurn(now: now) })
    finishTurn(now: MonotonicClock.now())
  }

  func end() {
    loop.remove(fileDescriptor: socket.fileDescriptor)
    socket.close()
    streams.end()
    deliver = nil
    notePresence = nil
  }

  func receive(_ request: ChannelRequest, grant: ChannelGrant?, from client: UInt64) {
    let now = MonotonicClock.now()
    shard.receive(request, grant: grant, from: client, now: now)
    publishTime = .zero
    finishTurn(now: now)
  }

  func join(_ request: JoinRequest, grant: ChannelGrant, by webRTC: WebRTCJoin, from client: UInt64) {
    let now = MonotonicClock.now()
    shard.join(request, grant: grant, by: webRTC, from: client, now: now)
    publishTime = .zero
    finishTurn(now: now)
  }

  func restartICE(_ ice: ICEParameters, of client: UInt64) -> ICEParameters? {
    shard.restartICE(ice, of: client, now: MonotonicClock.now())
  }

  func setTarget(_ target: LayerTarget, of client: UInt64) {
    let now = MonotonicClock.now()
    shard.setTarget(target, of: client, now: now)
    finishTurn(now: now)
  }

  func tell(_ error: ErrorResponse, uid: UInt, in channel: String) {
    shard.tell(error, uid: uid, in: channel)
    finishTurn(now: MonotonicClock.now())
  }

  var channels: [ChannelSummary] { shard.channels }

  func clientClosed(_ client: UInt64) {
    let now = MonotonicClock.now()
    shard.clientClosed(client, now: now)
    publishTime = .zero
    finishTurn(now: now)
  }

  private func receiveDatagrams() {
    let now = MonotonicClock.now()
    for _ in 0..<Self.batchLimit {
      let count = socket.receiveBatch(into: batch) { datagram, source in
        shard.receive(datagram: datagram, from: source, now: now)
      }
      if count < DatagramBatch.capacity { break }
    }
    finishTurn(now: now)
  }

  private func finishTurn(now: MediaInstant) {
    // First, so that who is told that it has been heard is let in from then on.
    guardAgainstFlood(now: now)
    while let run = shard.drain(into: slab, now: now) {
      let bytes = UnsafeRawBufferPointer(rebasing: slab[..<run.byteCount])
      if run.destination.transport == .udp {
        socket.sendSegments(bytes, segmentSize: run.segmentSize, to: run.destination)
      } else {
        streams.sendSegments(bytes, segmentSize: run.segmentSize, to: run.destination)
      }
    }
    streams.sweep(now: now) { shard.hasPeer(at: $0) }
    deliverAll()
    while let presence = shard.pollPresence() { notePresence?(presence) }
    if now - publishTime >= .milliseconds(200) {
      publishTime = now
      var statistics = shard.statistics
      statistics.unsentDatagrams = socket.droppedDatagrams
      statistics.refusedDatagrams = floodGuard.refusedDatagrams(socket.refusedDatagrams)
      published.withLock { $0 = statistics }
    }
    setTimer()
  }

  private func guardAgainstFlood(now: MediaInstant) {
    let step = floodGuard.review(
      strangers: shard.strangersDatagrams, additions: shard.knownSenderAdditions, refused: socket.refusedDatagrams,
      now: now)
    switch step {
    case .none: break
    case .filter:
      var filter = DatagramFilter()
      shard.forEachKnownSender(
        address: { filter.addresses.append($0) }, usernameFragment: { filter.addUserName(startingLike: $0) })
      socket.setFilter(filter)
    case .open: socket.removeFilter()
    }
  }

  /// Together, so that a change that everybody in a channel is told of wakes the other thread once.
  private func deliverAll() {
    guard let first = shard.pollControl() else { return }
    var deliveries = [first]
    while let delivery = shard.pollControl() { deliveries.append(delivery) }
    deliver?(deliveries)
  }

  private func setTimer() {
    let next = MediaInstant.earliest(.earliest(shard.nextTimeout, streams.nextSweep), floodGuard.nextReview)
    guard next != timeout else { return }
    timeout = next
    loop.setTimer(at: next, onTimeout)
  }

  private func handleTimeout() {
    let now = MonotonicClock.now()
    timeout = nil
    shard.handleTimeout(now: now)
    finishTurn(now: now)
  }
}
