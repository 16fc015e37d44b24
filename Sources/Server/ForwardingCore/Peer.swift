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
  private(set) var ssrcs: ForwardedSSRCs
  let format: ForwardedFormat
  /// Its tracks' numbers in the pool of streams.
  let audioStream: Int32
  let videoStream: Int32
  /// The name that binds its tracks together for subscribers (RFC 3550 section 6.5.1).
  let cname: String
  /// The server's for it; after an ICE restart also the one before.
  var usernameFragments: [String]
  let addedAt: MediaInstant
  var ice: ICEAgent
  /// Whether `ice` may have something to send.
  var hasAnswers = false
  /// Addresses proved to be the peer's, newest last.
  var addresses: [TransportAddress] = []
  /// Both are there once the keys are known.
  var receiver: SRTPReceiver?
  var sender: SRTPSender?
  /// For peers that agree on keys by DTLS.
  var dtls: (any DTLSEndpoint)?
  /// Egresses of routes that ended, by SSRC: their numbers go on if a route comes again under the same one.
  var retired: [UInt32: Egress] = [:]
  var transportSequenceNumber: UInt16 = 0
  /// What has come, if the peer wants feedback on it.
  var arrivals = ArrivalRecorder()
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
    nextReport: MediaInstant, now: MediaInstant
  ) {
    client = description.client
    ssrcs = description.ssrcs
    self.audioStream = audioStream
    self.videoStream = videoStream
    self.cname = cname
    format = description.format
    self.nextReport = nextReport
    self.ice = ice
    usernameFragments = [description.localCredentials.usernameFragment]
    addedAt = now
    retransmissions.reserveCapacity(Self.maximumRetransmissions)
  }

  /// Whether media can flow: there is a path, and there are keys.
  var isConnected: Bool { ice.selectedRemoteAddress != nil && sender != nil && !isLost }

  /// Bytes that protection adds to an RTP packet; none without keys.
  var rtpOverhead: Int {
    switch sender {
    case .some(let sender): sender.rtpOverhead
    case .none: 0
    }
  }

  /// Which of its tracks an SSRC is; nil for others. A track whose SSRC was not announced gets that of the first packet
  /// with its payload type (RFC 9143 section 9.2), which `learn` then takes.
  func track(ssrc: UInt32) -> (stream: Int32, isRetransmission: Bool)? {
    guard ssrc != 0 else { return nil }
    if ssrc == ssrcs.video { return (videoStream, false) }
    if ssrc == ssrcs.audio { return (audioStream, false) }
    if ssrc == ssrcs.videoRTX { return (videoStream, true) }
    return nil
  }

  /// Whether a track's SSRC is still to be learned.
  var isLearning: Bool { ssrcs.audio == 0 || ssrcs.video == 0 || ssrcs.videoRTX == 0 }

  /// Takes the SSRC of a packet for the track that its payload type means, if that track has none yet. To be called for
  /// authentic packets only.
  mutating func learn(ssrc: UInt32, payloadType: UInt8) -> (stream: Int32, isRetransmission: Bool)? {
    switch payloadType {
    case format.vp8PayloadType where ssrcs.video == 0: ssrcs.video = ssrc
    case format.opusPayloadType where ssrcs.audio == 0: ssrcs.audio = ssrc
    case let type where type == format.redPayloadType && ssrcs.audio == 0: ssrcs.audio = ssrc
    case let type where type == format.rtxPayloadType && ssrcs.videoRTX == 0: ssrcs.videoRTX = ssrc
    default: return nil
    }
    return track(ssrc: ssrc)
  }
}
