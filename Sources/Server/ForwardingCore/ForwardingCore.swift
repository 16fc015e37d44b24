public import MediaBase
import RTPWire
public import SecureChannel

/// The packet path of the server, without input and output: one worker's peers, their streams, and who gets what.
///
/// A turn is any number of `receive(datagram:from:now:)`, then `drain(into:now:)` until it has nothing more. Streams go
/// to each subscriber under its own SSRCs with continuous numbers, encrypted for it alone; a video route carries nothing
/// until a key frame starts, and asks the publisher for one at once. Between receiving a packet and giving it out,
/// nothing is allocated.
///
/// One thread owns it.
public struct ForwardingCore: ~Copyable {
  struct RouteKey: Hashable {
    var subscriber: UInt64
    var publisher: UInt64
  }

  struct RouteEgresses {
    var audio: Int32
    var video: Int32
    var keepsNumbers: Bool
  }

  let configuration: ForwardingConfiguration
  let crypto: CryptoProvider
  let dtls: (any DTLSProvider)?
  var random: SeededRandom
  /// The server's own SSRC in reports and feedback.
  let rtcpSSRC: UInt32

  var peers = Pool<Peer>()
  var streams = Pool<IngressStream>()
  var egresses = Pool<Egress>()
  var peersByClient: [UInt64: Int32] = [:]
  var peersByUsernameFragment: [String: Int32] = [:]
  var peersByAddress: NumberTable<TransportAddress>
  /// How many addresses and user name fragments have been added to those that `forEachKnownSender` hands over.
  public internal(set) var knownSenderAdditions: UInt64 = 0
  var egressesBySSRC: NumberTable<PeerSSRC>
  var speakerGroups = Pool<SpeakerGroup>()
  var speakerGroupsByChannel: [UInt64: Int32] = [:]
  var routes: [RouteKey: RouteEgresses] = [:]

  var dirtyStreams: [Int32] = []
  /// Streams that want something of their publishers some time.
  var streamTimers = StreamTimers()
  var timers = PeerTimers()
  /// When streams whose pictures are not complete are given out anyway.
  var gatherDeadline: MediaInstant?
  /// Peers whose paths are being tried.
  var probedPeers: [Int32] = []
  var nextProbe: MediaInstant?
  /// Peers for whom pictures wait that are spread over time.
  var pacedPeers: [Int32] = []
  var nextPace: MediaInstant?
  /// Peers with something to send, in the order of their asking; those before `queueHead` are done.
  var queue: [Int32] = []
  var queueHead = 0
  var earlyHandshakes = EarlyHandshakes()
  var events: [ForwardingEvent] = []
  var eventsHead = 0
  var lostNumbers: [UInt16] = []
  /// Memory that is kept from one time to the next.
  var receivedFeedback = TransportFeedback(senderSSRC: 0, mediaSSRC: 0, feedbackCount: 0, results: [])
  var reportBlocks: [RTCPReportBlock] = []
  var allocation = AllocationScratch()

  /// Counts of packets since the start.
  public internal(set) var statistics = ForwardingStatistics()

  /// Makes a room without peers.
  ///
  /// - Parameters:
  ///   - dtls: for peers that agree on keys by DTLS; without it there can be none.
  ///   - seed: unpredictable; sequence numbers, table layouts and report times follow from it.
  public init(
    configuration: ForwardingConfiguration = ForwardingConfiguration(), crypto: CryptoProvider,
    dtls: (any DTLSProvider)? = nil, seed: UInt64
  ) {
    self.configuration = configuration
    self.crypto = crypto
    self.dtls = dtls
    var random = SeededRandom(seed: seed)
    rtcpSSRC = UInt32.random(in: 1...UInt32.max, using: &random)
    peersByAddress = NumberTable(seed: random.next())
    egressesBySSRC = NumberTable(seed: random.next())
    self.random = random
    lostNumbers.reserveCapacity(LossTracker.maximumCount)
  }

  /// Peers added and not removed.
  public var peerCount: Int { peers.count }

  /// Routes added and not removed.
  public var routeCount: Int { routes.count }

  /// Streams of peers, and copies of them for subscribers, that are held.
  public var streamCount: Int { streams.count + egresses.count }

  /// Whether a peer has connected, and since then checks its connection.
  public func isConnected(client: UInt64) -> Bool {
    guard let peer = peersByClient[client] else { return false }
    return peers[peer].isConnected
  }

  /// Whether `pollEvent()` has something.
  public var hasEvents: Bool { eventsHead < events.count }

  /// The next event in the order in which they happened; nil when there is none.
  public mutating func pollEvent() -> ForwardingEvent? {
    guard eventsHead < events.count else {
      events.removeAll(keepingCapacity: true)
      eventsHead = 0
      return nil
    }
    eventsHead += 1
    return events[eventsHead - 1]
  }

  /// When `handleTimeout(now:)` wants to be called; nil while there are no peers.
  public var nextTimeout: MediaInstant? {
    MediaInstant.earliest(
      .earliest(.earliest(gatherDeadline, timers.next), .earliest(streamTimers.next, nextProbe)), nextPace)
  }
}
