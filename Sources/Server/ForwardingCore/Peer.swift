import CongestionControl
import ICEAgent
import MediaBase
import SecureChannel

/// A packet that a subscriber wants again.
struct Retransmission: BitwiseCopyable {
  var egress: Int32
  /// Our index.
  var sequence: Int64
}

/// One user's connection: connectivity, keys, what it publishes and what it receives.
struct Peer: ~Copyable {
  /// More requests than this wait for no turn.
  static let maximumRetransmissions = 256
  /// Retransmissions that a peer may have beyond those it earns by packets sent to it.
  static let initialRetransmissionCredit: Int32 = 128
  static let maximumRetransmissionCredit: Int32 = 512

  // First what every run of packets touches, side by side: rooms of many subscribers do not fit the processor's nearest
  // memory, and a place further off costs as much as a packet.

  /// Whether the peer waits in the queue of those with something to send.
  var isQueued = false
  /// Whether pictures to it are spread over time.
  var isPaced = false
  /// Whether `ice` may have something to send.
  var hasAnswers = false
  /// Whether `dtls` may have something to send.
  var hasHandshakeOutput = false
  /// Whether a probe of its path goes on that is due now.
  var hasProbe = false
  /// Whether there may be reports, requests or feedback to write: what is due enqueues the peer.
  var hasControl = false
  /// Lost and reported: nothing more is expected of it.
  var isLost = false
  /// Whether the timers know of `downlink`.
  var isDownlinkTimed = false
  var transportSequenceNumber: UInt16 = 0
  /// The list of egresses with arrivals to look at.
  var firstLinked = Pool<Egress>.none
  var lastLinked = Pool<Egress>.none
  var retransmissionCredit = Peer.initialRetransmissionCredit
  var retransmissions: [Retransmission] = []
  /// What is known of the path to it; there once something has been sent.
  var downlink: UnsafeMutablePointer<Downlink>?
  /// How far the reports of this round have got in `egresses`; nil between rounds.
  var reportPosition: Int?
  let format: ForwardedFormat
  /// Both are there once the keys are known.
  var sender: SRTPSender?
  var receiver: SRTPReceiver?
  var ice: ICEAgent

  let client: UInt64
  /// Of the tracks without layers; `video` and `videoRTX` are 0 if there are layers.
  var ssrcs: ForwardedSSRCs
  /// Whether it shows pictures as soon as they have come: engines do, and who has agreed to be told so.
  let showsAtOnce: Bool
  /// Its tracks' numbers in the pool of streams.
  let audioStream: Int32
  let videoStream: Int32
  /// The encodings of its video, smallest picture first as far as is known; empty unless there are several. `videoStream`
  /// is one of them.
  var layers: [PublishedLayer] = []
  /// What may become of the videos it receives.
  var fallback = VideoFallback.audioOnly
  /// Of which of them packets come, as bits.
  var liveLayers: UInt8 = 0
  /// What its packets may say of their medium (RFC 9143 section 15); empty if they need not.
  let audioMediaID: [UInt8]
  let videoMediaID: [UInt8]
  /// The name that binds its tracks together for subscribers (RFC 3550 section 6.5.1).
  let cname: String
  /// The server's for it; after an ICE restart also the one before.
  var usernameFragments: [String]
  let addedAt: MediaInstant
  /// Addresses proved to be the peer's, newest last.
  var addresses: [TransportAddress] = []
  /// For peers that agree on keys by DTLS.
  var dtls: (any DTLSEndpoint)?
  /// The host from which the session was asked for over TCP, if that is known.
  let provedHost: TransportAddress?
  /// What may be sent of the handshake to other addresses.
  var credit = AddressCredit()
  /// A datagram of the handshake that waits for more credit.
  var heldHandshake: [UInt8]?
  /// Whether authentic media has come since its sender last said that it is there.
  var hasHeardMedia = false
  /// Where authentic media or a report came from last, and when, until `ice` has been told.
  var mediaSource: TransportAddress?
  var mediaTime = MediaInstant.zero
  /// Egresses of routes that ended, by SSRC: their numbers go on if a route comes again under the same one.
  var retired: [UInt32: Egress] = [:]
  /// What has come, if the peer wants feedback on it.
  var arrivals = ArrivalRecorder()
  /// How much it may send, if it wants to be told; there once something has come.
  var incomingRate: UnsafeMutablePointer<ReceiverEstimator>?
  /// All egresses to this peer.
  var egresses: [Int32] = []
  var nextReport: MediaInstant
  /// The step of the timers in which it is looked at next.
  var timerTick = PeerTimers.never
  /// When something authentic came last, as far as is known: media is looked for from time to time.
  var lifeTime: MediaInstant
  /// Packets of media that had come then.
  var lifeArrivalCount: UInt64 = 0
  /// Silent for too long, and reported.
  var isSilent = false

  init(
    _ description: ForwardingPeer, ice: ICEAgent, audioStream: Int32, videoStream: Int32, cname: String,
    nextReport: MediaInstant, now: MediaInstant
  ) {
    client = description.client
    ssrcs = description.ssrcs
    provedHost = description.provedHost
    audioMediaID = description.audioMediaID
    videoMediaID = description.videoMediaID
    self.audioStream = audioStream
    self.videoStream = videoStream
    self.cname = cname
    format = description.format
    showsAtOnce =
      switch description.security {
      case .keys: true
      case .dtls: description.format.extensions.playoutDelayID != 0
      }
    self.nextReport = nextReport
    self.ice = ice
    usernameFragments = [description.localCredentials.usernameFragment]
    addedAt = now
    lifeTime = now
  }

  deinit {
    downlink?.deinitialize(count: 1)
    downlink?.deallocate()
    incomingRate?.deinitialize(count: 1)
    incomingRate?.deallocate()
  }

  /// Whether there may be something to send.
  var hasWork: Bool {
    firstLinked >= 0 || hasAnswers || hasHandshakeOutput || hasControl || hasProbe || !retransmissions.isEmpty
  }

  /// The number in the pool of streams of its video's encoding `position`; nil beyond the last.
  func videoStream(_ position: Int) -> Int32? {
    if layers.isEmpty { return position == 0 ? videoStream : nil }
    return position < layers.count ? layers[position].stream : nil
  }

  /// The number in the pool of streams of what it publishes: its sound, then each encoding of its video; nil beyond the last.
  func publishedStream(_ position: Int) -> Int32? { position == 0 ? audioStream : videoStream(position - 1) }

  /// Something authentic that is no check has come.
  mutating func heardMedia(from source: TransportAddress, now: MediaInstant) {
    mediaSource = source
    mediaTime = now
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
}
