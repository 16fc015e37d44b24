import CAllocationCounter
import ForwardingCore
import MediaBase
import OpenSSLCrypto
import SecureChannel
import Testing

let bothForwarded = ForwardedTracks(audio: true, video: true)

/// A forwarding core and its peers on a virtual clock, joined by links without delay that lose what a test tells them to.
final class TestRoom {
  var core: ForwardingCore
  var now = MediaInstant(nanoseconds: 1_000_000_000_000)
  var peers: [UInt64: TestPeer] = [:]
  var events: [ForwardingEvent] = []
  /// Called with each run that leaves, before it is delivered.
  var runs: [ForwardRun] = []
  /// Peers whose outgoing datagrams are lost.
  var silent: Set<UInt64> = []
  /// Gets every datagram that leaves, with where it goes.
  /// Gets every datagram for a peer first; what it takes is not delivered at once.
  var carry: ((_ datagram: [UInt8], _ receiver: TestPeer) -> Bool)?
  var onDatagram: ((_ datagram: [UInt8], _ destination: TransportAddress) -> Void)?
  /// Allocations of the core so far.
  private(set) var allocations: Int64 = 0
  private var slab = [UInt8](repeating: 0, count: 65_536)

  init(
    _ configuration: ForwardingConfiguration = ForwardingConfiguration(), dtls: (any DTLSProvider)? = nil,
    seed: UInt64 = 7
  ) {
    core = ForwardingCore(configuration: configuration, crypto: OpenSSLCrypto.provider, dtls: dtls, seed: seed)
  }

  @discardableResult
  func join(
    _ id: UInt64, publishes: ForwardedTracks = .none, profile: SRTPProtectionProfile = .aeadAES128GCM,
    byHandshake: Bool = false, format: ForwardedFormat = ForwardedFormat(),
    _ change: (inout ForwardingPeer) -> Void = { _ in }
  ) -> TestPeer {
    let peer = TestPeer(id, profile: profile, now: now)
    peers[id] = peer
    var description = description(id, profile)
    description.format = format
    if byHandshake { description.security = .dtls(remoteFingerprint: [UInt8(id)]) }
    change(&description)
    let added = core.addPeer(description, now: now)
    #expect(added)
    core.setPublished(client: id, tracks: publishes, now: now)
    return peer
  }

  func route(from publisher: UInt64, to subscriber: UInt64, _ tracks: ForwardedTracks = bothForwarded) {
    let added = core.addRoute(
      ForwardingRoute(
        subscriber: subscriber, publisher: publisher, ssrcs: routeSSRCs(publisher), subscribed: tracks), now: now)
    #expect(added)
  }

  func publish(_ id: UInt64, _ tracks: ForwardedTracks) { core.setPublished(client: id, tracks: tracks, now: now) }

  func subscribe(_ subscriber: UInt64, to publisher: UInt64, _ tracks: ForwardedTracks) {
    core.setSubscribed(subscriber: subscriber, publisher: publisher, tracks: tracks, now: now)
  }

  func inject(_ datagram: [UInt8], from address: TransportAddress) {
    var copy = datagram
    copy.withUnsafeMutableBytes { bytes in
      let before = allocation_counter_value()
      core.receive(datagram: bytes, from: address, now: now)
      allocations += allocation_counter_value() - before
    }
  }

  /// Has the core do what has become due.
  func handleTimeout() {
    guard let due = core.nextTimeout, due <= now else { return }
    let before = allocation_counter_value()
    core.handleTimeout(now: now)
    allocations += allocation_counter_value() - before
  }

  /// Carries all that the peers have to send to the core, as one turn.
  func upload() {
    for id in peers.keys.sorted() {
      guard let peer = peers[id] else { continue }
      let datagrams = peer.outgoing
      peer.outgoing = []
      guard !silent.contains(id) else { continue }
      for datagram in datagrams { inject(datagram, from: peer.address) }
    }
  }

  /// Carries all that the core has to send to the peers.
  func download() {
    while true {
      let run = slab.withUnsafeMutableBytes { bytes in
        let before = allocation_counter_value()
        defer { allocations += allocation_counter_value() - before }
        return core.drain(into: bytes, now: now)
      }
      guard let run else { break }
      runs.append(run)
      deliver(run)
    }
    while let event = core.pollEvent() { events.append(event) }
  }

  private func deliver(_ run: ForwardRun) {
    #expect(run.byteCount > 0 && run.byteCount <= 65_507)
    #expect(run.segmentSize > 0 && run.segmentSize <= 1_472)
    #expect(run.segmentCount <= 64)
    let receiver = peers.values.first { $0.address == run.destination }
    var offset = 0
    while offset < run.byteCount {
      let end = min(offset + run.segmentSize, run.byteCount)
      let datagram = Array(slab[offset..<end])
      if let receiver, carry?(datagram, receiver) != true { receiver.receive(datagram, now: now) }
      onDatagram?(Array(slab[offset..<end]), run.destination)
      offset = end
    }
  }

  func turn() {
    upload()
    download()
  }

  /// Lets time pass in steps of a millisecond, with everybody's timers.
  func run(milliseconds: Int) {
    for _ in 0..<milliseconds {
      now = now + .milliseconds(1)
      handleTimeout()
      for peer in peers.values { peer.handleTimeout(now: now) }
      turn()
    }
  }
}

/// A room where 1 publishes both tracks and the others subscribe; all are connected.
func connectedRoom(
  subscribers: Int = 1, _ configuration: ForwardingConfiguration = ForwardingConfiguration(),
  profile: SRTPProtectionProfile = .aeadAES128GCM
) -> (TestRoom, TestPeer, [TestPeer]) {
  let room = TestRoom(configuration)
  let publisher = room.join(1, publishes: bothForwarded, profile: profile)
  let others = (0..<subscribers).map { room.join(UInt64($0) + 2, profile: profile) }
  for other in others { room.route(from: 1, to: other.id) }
  room.run(milliseconds: 20)
  return (room, publisher, others)
}

/// `#expect` whose argument may borrow spans, which the macro's expansion cannot.
func check(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: sourceLocation)
}

let video = routeSSRCs(1).video
let audio = routeSSRCs(1).audio
let videoRTX = routeSSRCs(1).videoRTX
