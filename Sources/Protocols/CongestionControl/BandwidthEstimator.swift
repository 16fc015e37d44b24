public import MediaBase

/// How much may be sent to one peer: by how the delay of packets changes, how many are lost, what probes show, and what the
/// peer itself says (draft-ietf-rmcat-gcc-02, with a bound from losses that leaves alone what is lost whatever is sent).
///
/// Its owner tells it of every packet with a transport-wide number, hands it feedback, sends the clusters that
/// `pollProbe()` wants, and heeds `targetBitrate`. Nothing that the peer sends can raise the rate beyond what probes
/// tried and three times what was sent lately, or beyond the configured maximum.
public struct BandwidthEstimator: ~Copyable {
  // First what every packet touches, side by side.
  var ledger = SentPacketLedger()
  var lastSent: MediaInstant?
  var sentRate = SentRate()
  let configuration: BandwidthEstimatorConfiguration
  var arrivalClock = ArrivalClock()
  var groups = PacketGroups()
  var detector = OveruseDetector()
  var acknowledgedRate = AcknowledgedRate()
  var aimd: AIMDRateControl
  var lossBound = LossBound()
  var lossWindow = LossWindow()
  var queueDelayTracker = QueueDelay()
  var applicationLimit = ApplicationLimit()
  var measurement = ProbeMeasurement()
  var probes: ProbeController
  var standingQueue = StandingQueue()
  /// What feedback has told about: the number after the last packet, and the count of the last feedback.
  var reported: (end: UInt16, feedbackCount: UInt8)?
  /// Empty, with the memory for what feedback tells.
  var acknowledged: [AcknowledgedPacket] = []
  var lastFeedback: MediaInstant?
  var lastTick: MediaInstant
  var lastDecay: MediaInstant?
  var silence: FeedbackSilence?
  var remote: (bitrate: Double, time: MediaInstant)?
  var hasEstimate = false
  /// When the path has shown last that more does not fit.
  var lastLimit: MediaInstant?
  var lastLossDecrease: MediaInstant?

  /// The time to the other side and back, smoothed, with the time that feedback waits there; `nil` before the first.
  public internal(set) var roundTripTime: MediaDuration?

  /// Makes an estimator that knows nothing of the path.
  public init(configuration: BandwidthEstimatorConfiguration = BandwidthEstimatorConfiguration(), now: MediaInstant) {
    self.configuration = configuration
    let (least, most) = (Double(configuration.minimumBitrate), Double(configuration.maximumBitrate))
    aimd = AIMDRateControl(rate: Double(configuration.startBitrate), range: least...most)
    probes = ProbeController(demand: 0, ceiling: Double(configuration.probeCeiling))
    lastTick = now
  }

  // MARK: Input

  /// Takes note of a packet with a transport-wide number. `byteCount` is what the path carries of it, `cluster` the probe
  /// that it is part of, or 0.
  public mutating func sent(_ number: UInt16, byteCount: Int, cluster: UInt8 = 0, now: MediaInstant) {
    ledger.record(number, byteCount: byteCount, cluster: cluster, now: now)
    sentRate.add(byteCount: byteCount)
    lastSent = now
  }

  /// Wants the first probes, before there is anything to send. Without effect if there were any.
  public mutating func startProbing(now: MediaInstant) {
    probes.start(rate: Double(configuration.startBitrate), now: now)
  }

  /// What the sender could use, in bits per second. Probes go no further; where it grows beyond the estimate, one is made.
  public mutating func setDemand(_ bitrate: Int, now: MediaInstant) {
    let grows = Double(bitrate) > probes.demand
    probes.demand = Double(max(bitrate, 0))
    if grows, applicationLimit.isLimited, hasEstimate { probes.demandGrew(estimate: aimd.rate, now: now) }
  }

  /// Takes the peer's own estimate (REMB).
  public mutating func received(remoteBitrate bitrate: UInt64, now: MediaInstant) {
    advance(now: now)
    let least = Double(configuration.minimumBitrate)
    remote = (min(max(Double(bitrate), least), Double(configuration.maximumBitrate)), now)
  }

  /// Takes what a report says of a stream of which `packetCount` packets were sent since the last one. For peers that
  /// give no transport-wide feedback; where there is some, only the round trip counts.
  public mutating func received(
    fractionLost: Double, packetCount: Int, roundTripTime: MediaDuration?, now: MediaInstant
  ) {
    advance(now: now)
    if let roundTripTime { addRoundTrip(roundTripTime) }
    guard lastFeedback == nil, packetCount > 0, packetCount < 1_000_000 else { return }
    let loss = min(max(fractionLost, 0), 1)
    lossWindow.add(received: Int(Double(packetCount) * (1 - loss)), lost: Int(Double(packetCount) * loss))
    closeLossWindow(now: now)
  }

  /// Does what has become due.
  public mutating func handleTimeout(now: MediaInstant) { advance(now: now) }

  /// When `handleTimeout(now:)` wants to be called; `nil` while nothing is sent.
  public var nextTimeout: MediaInstant? {
    guard let lastSent, lastTick - lastSent < Self.activeTime else { return nil }
    return lastTick + Self.tickInterval
  }

  // MARK: Output

  /// The next train of packets that is to be sent; `nil` if there is none.
  public mutating func pollProbe() -> ProbeCluster? {
    guard let cluster = probes.next() else { return nil }
    measurement.expect(cluster)
    return cluster
  }

  /// How much may be sent, in bits per second, everything included that the path carries; `nil` while nothing is known.
  public var targetBitrate: Int? {
    var rate: Double?
    if hasEstimate { rate = aimd.rate }
    if let remote, lastFeedback == nil || lastTick - remote.time < Self.remoteFreshness {
      rate = min(rate ?? .infinity, remote.bitrate)
    }
    guard var rate else { return nil }
    if let bound = lossBound.bitsPerSecond { rate = min(rate, bound) }
    if let trial = lossBound.trialRate { rate = min(rate, trial) }
    return Int(clampedBitrate: max(rate, Double(configuration.minimumBitrate)))
  }

  /// Whether the path has shown in the last minute that more does not fit. If not, there is nothing to spread packets for.
  public var isLimited: Bool { lastLimit.map { lastTick - $0 < Self.limitMemory } ?? (remote != nil) }

  /// How many bits a second arrive; `nil` before feedback.
  public var acknowledgedBitrate: Int? { acknowledgedRate.bitsPerSecond.map { Int(clampedBitrate: $0) } }

  /// The share of packets lost lately, 0 to 1.
  public var lossRate: Double { lossWindow.smoothedLoss }

  /// The share of packets that is lost whatever is sent, 0 to 1; `nil` without transport-wide feedback.
  public var inherentLossRate: Double? { lastFeedback == nil ? nil : lossBound.inherentLoss }

  /// How long packets wait on the way; `nil` before feedback.
  public var queueDelay: MediaDuration? { queueDelayTracker.value }

  /// Whether the first probes go on, so that `targetBitrate` is only what has been shown so far.
  public var isStarting: Bool { probes.isStarting }

  /// Whether clearly less is sent than may be.
  public var isApplicationLimited: Bool { applicationLimit.isLimited }
}
