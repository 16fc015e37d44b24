import CongestionControl
import MediaBase
public import RTPWire

/// The RTP side of one connection (RFC 3550, RFC 4585, RFC 4588, RFC 7741): frames become packets and packets frames, and
/// reports and feedback are exchanged about them. All of it in plaintext; protection is the transport's business.
///
/// What is received as video is reported only if it can be decoded. Losses are repaired by retransmission; where that
/// fails, a key frame is asked for, again and again until it comes, and nothing is reported in between.
///
/// After every call that changes something the owner takes datagrams by `pollTransmit(into:)` and events by `pollEvent()`
/// until there are none. Nothing that the other side sends makes memory grow without bound or ends the process.
public struct RTPSession: ~Copyable, SansIOStateMachine {
  /// Reports and feedback that wait to be sent at most; the oldest go first.
  private static let longestQueue = 2_048
  /// Streams whose counters are remembered after their removal.
  private static let maximumRetired = 1_024

  let configuration: RTPSessionConfiguration
  var sendStreams: [UInt32: SendStream] = [:]
  var retiredPositions: [UInt32: SendStream.Position] = [:]
  var audioReceivers: [UInt32: AudioReceiver] = [:]
  var videoReceivers: [UInt32: VideoReceiver] = [:]
  /// From the SSRC of retransmissions to that of their stream.
  var mediaSSRCs: [UInt32: UInt32] = [:]
  var earlyPackets = EarlyPackets()
  var transportSequenceNumber: UInt16 = 0
  var events = FIFO<RTPSessionEvent>()
  var output = ReceiverOutput()
  var roundTrip = RoundTripEstimator()
  var random: SeededRandom
  /// When reports are due; `nil` before the first packet in either direction.
  var reportDeadline: MediaInstant?
  /// Not later than anything becomes due.
  var deadline: MediaInstant?
  /// The last instant that the owner told.
  var latest: MediaInstant
  var outgoing = OutgoingQueues()
  var bandwidth: BandwidthEstimator
  var pacer: Pacer
  /// When the pacer lets out what it has held back; `nil` if nothing has been.
  var pacingDeadline: MediaInstant?
  /// What has come, for feedback on it.
  var arrivals = ArrivalRecorder()
  /// A stream of what has come last.
  var arrivalSSRC: UInt32 = 0
  /// What the other side has told last of the path from there.
  public internal(set) var downlinkReport: DownlinkReport?
  private var rtcpQueue = FIFO<[UInt8]>()

  /// Makes a session without streams.
  public init(configuration: RTPSessionConfiguration, now: MediaInstant) {
    self.configuration = configuration
    random = SeededRandom(seed: UInt64(configuration.rtcpSSRC))
    bandwidth = BandwidthEstimator(now: now)
    pacer = Pacer(now: now)
    latest = now
  }

  // MARK: Streams

  /// Adds a stream to send; without effect if it is there already. `rtxSSRC` is for retransmissions of video; without it
  /// lost packets are sent again as they were, which a receiver with replay protection takes, but a sender that refuses
  /// to seal an index twice does not.
  ///
  /// A stream that was removed before goes on counting where it stopped.
  public mutating func addSendStream(kind: MediaKind, ssrc: UInt32, rtxSSRC: UInt32?) {
    guard sendStreams[ssrc] == nil else { return }
    let position = retiredPositions.removeValue(forKey: ssrc) ?? SendStream.Position(ssrc: ssrc)
    sendStreams[ssrc] = SendStream(
      kind: kind, ssrc: ssrc, rtxSSRC: kind == .video ? rtxSSRC : nil, position: position)
  }

  /// Ends a stream, and says so to the other side (RFC 3550 section 6.6).
  public mutating func removeSendStream(ssrc: UInt32) {
    guard let stream = sendStreams.removeValue(forKey: ssrc) else { return }
    if retiredPositions.count < Self.maximumRetired { retiredPositions[ssrc] = stream.position }
    sendGoodbye(ssrc: ssrc)
  }

  /// Adds a stream to receive; without effect if it is there already. Packets of it that came in the last half second
  /// are received now.
  public mutating func addReceiveStream(kind: MediaKind, ssrc: UInt32, rtxSSRC: UInt32?) {
    guard audioReceivers[ssrc] == nil, videoReceivers[ssrc] == nil else { return }
    switch kind {
    case .audio: audioReceivers[ssrc] = AudioReceiver(ssrc: ssrc)
    case .video:
      videoReceivers[ssrc] = VideoReceiver(ssrc: ssrc, rtxSSRC: rtxSSRC)
      if let rtxSSRC { mediaSSRCs[rtxSSRC] = ssrc }
    }
    for early in earlyPackets.take(ssrc: ssrc, rtxSSRC: kind == .video ? rtxSSRC : nil, now: latest) {
      let bytes = early.bytes
      receiveRTP(bytes.span.bytes, now: early.arrival)
    }
  }

  /// Forgets a stream and everything of it that was not reported yet.
  public mutating func removeReceiveStream(ssrc: UInt32) {
    audioReceivers[ssrc] = nil
    guard let receiver = videoReceivers.removeValue(forKey: ssrc) else { return }
    if let rtxSSRC = receiver.rtxSSRC, mediaSSRCs[rtxSSRC] == ssrc { mediaSSRCs[rtxSSRC] = nil }
  }

  // MARK: Output

  /// Appends the next datagram to `datagram`; `nil` if there is none, or if there is no room for it:
  /// `maximumPacketSize` bytes always suffice. Reports and feedback go first, then sound; pictures go at the pace that the
  /// path's rate allows.
  @_lifetime(datagram: copy datagram)
  public mutating func pollTransmit(into datagram: inout OutputRawSpan) -> RTPTransmitKind? {
    if let next = rtcpQueue.first {
      guard next.count <= datagram.freeCapacity, let bytes = rtcpQueue.popFirst() else { return nil }
      datagram.append(contentsOf: bytes.span.bytes)
      return .rtcp
    }
    return transmitRTP(into: &datagram)
  }

  /// The next event.
  public mutating func pollEvent() -> RTPSessionEvent? { events.popFirst() }

  /// When `handleTimeout(now:)` wants to be called; never later than something is due, sometimes earlier.
  public var nextTimeout: MediaInstant? {
    var earliest = MediaInstant.earliest(deadline, reportDeadline)
    earliest = .earliest(earliest, pacingDeadline)
    earliest = .earliest(earliest, arrivals.deadline(interval: Self.transportFeedbackInterval))
    return .earliest(earliest, bandwidth.nextTimeout)
  }

  mutating func enqueueRTCP(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if rtcpQueue.count >= Self.longestQueue { _ = rtcpQueue.popFirst() }
    rtcpQueue.append(bytes)
  }

  // MARK: Numbers

  /// The time to the other side and back, smoothed; `nil` while it is not known.
  public var roundTripTime: MediaDuration? { roundTrip.value }

  /// Counters of a stream that is sent; `nil` if there is none.
  public func sendStatistics(ssrc: UInt32) -> SendStatistics? { sendStreams[ssrc]?.statistics }

  /// Counters of a stream that is received; `nil` if there is none.
  public func receiveStatistics(ssrc: UInt32) -> ReceiveStatistics? {
    videoReceivers[ssrc]?.statistics ?? audioReceivers[ssrc]?.statistics
  }
}
