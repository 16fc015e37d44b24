import ICEAgent
import MediaBase
import SecureChannel

/// A packet that a subscriber wants again.
struct Retransmission: BitwiseCopyable {
  var egress: Int32
  /// The publisher's index.
  var index: Int64
}

/// One user's connection: connectivity, keys, what it publishes and what it receives.
struct Peer: ~Copyable {
  /// More requests than this wait for no turn.
  static let maximumRetransmissions = 256
  /// Retransmissions that a peer may have beyond those it earns by packets sent to it.
  static let initialRetransmissionCredit: Int32 = 128
  static let maximumRetransmissionCredit: Int32 = 512

  let client: UInt64
  let ssrcs: ForwardedSSRCs
  /// Its tracks' numbers in the pool of streams.
  let audioStream: Int32
  let videoStream: Int32
  /// The name that binds its tracks together for subscribers (RFC 3550 section 6.5.1).
  let cname: String
  let usernameFragment: String
  let addedAt: MediaInstant
  var ice: ICEAgent
  /// Whether `ice` may have something to send.
  var hasAnswers = false
  /// Addresses proved to be the peer's, newest last.
  var addresses: [TransportAddress] = []
  var receiver: SRTPReceiver
  var sender: SRTPSender
  var transportSequenceNumber: UInt16 = 0
  /// All egresses to this peer.
  var egresses: [Int32] = []
  /// The list of egresses with arrivals to look at.
  var firstLinked = Pool<Egress>.none
  var lastLinked = Pool<Egress>.none
  /// Whether the peer waits in the queue of those with something to send.
  var isQueued = false
  var retransmissions: [Retransmission] = []
  var retransmissionCredit = Peer.initialRetransmissionCredit
  var nextReport: MediaInstant
  /// How far the reports of this round have got in `egresses`; nil between rounds.
  var reportPosition: Int?
  /// Lost and reported: nothing more is expected of it.
  var isLost = false

  init(
    _ description: ForwardingPeer, ice: ICEAgent, audioStream: Int32, videoStream: Int32, cname: String,
    receiver: consuming SRTPReceiver,
    sender: consuming SRTPSender, nextReport: MediaInstant, now: MediaInstant
  ) {
    client = description.client
    ssrcs = description.ssrcs
    self.audioStream = audioStream
    self.videoStream = videoStream
    self.cname = cname
    self.receiver = receiver
    self.sender = sender
    self.nextReport = nextReport
    self.ice = ice
    usernameFragment = description.localCredentials.usernameFragment
    addedAt = now
    retransmissions.reserveCapacity(Self.maximumRetransmissions)
  }

  var isConnected: Bool { ice.selectedRemoteAddress != nil && !isLost }

  /// Which of its tracks an SSRC is; nil for others.
  func track(ssrc: UInt32) -> (stream: Int32, isRetransmission: Bool)? {
    if ssrc == ssrcs.video { return (videoStream, false) }
    if ssrc == ssrcs.audio { return (audioStream, false) }
    if ssrc == ssrcs.videoRTX { return (videoStream, true) }
    return nil
  }
}
