import CongestionControl
import MediaBase

/// What is known of the path to one subscriber. Made when the first packet goes to it, and freed with its peer.
struct Downlink: ~Copyable {
  /// UDP and IPv4.
  static let pathOverhead = 28
  private static let alarmingDelay = MediaDuration.milliseconds(100)
  /// Between two looks at what its videos may take, unless the path gets narrower.
  static let allocationInterval = MediaDuration.milliseconds(200)

  var estimator: BandwidthEstimator
  /// Spreads probes over time.
  var prober: Pacer
  /// Spreads pictures over time, where the path has shown lately that more does not fit.
  var pacer: Pacer
  /// Instead of `estimator`, of a subscriber that tells its own estimate and gives no other feedback.
  var told: ToldPath?
  var hysteresis = AllocationHysteresis()
  var lastAllocation: MediaInstant?
  /// The path's rate at that time.
  var allocatedBitrate: Int?

  init(now: MediaInstant) {
    estimator = BandwidthEstimator(configuration: BandwidthEstimatorConfiguration(), now: now)
    prober = Pacer(now: now)
    pacer = Pacer(now: now)
  }

  /// How much may be sent, in bits per second; nil while everything may.
  var targetBitrate: Int? {
    guard let told else { return estimator.targetBitrate }
    return told.limit.map { Int(min(max($0, 0), 1e12)) }
  }

  /// Whether the path has shown lately that more does not fit.
  var isLimited: Bool { told.map { $0.limit != nil } ?? estimator.isLimited }

  /// The next train of padding that the path is to be tried with.
  mutating func pollProbe(now: MediaInstant) -> ProbeCluster? {
    told == nil ? estimator.pollProbe() : told?.takePadding(now: now)
  }

  /// Whether what the subscriber's videos may take should be looked at now.
  func needsAllocation(now: MediaInstant) -> Bool {
    guard let bitrate = targetBitrate else { return false }
    // What the first probes have not tried yet is no reason to take anything away, unless packets begin to wait.
    if estimator.isStarting, estimator.queueDelay ?? .zero < Self.alarmingDelay { return false }
    guard let lastAllocation, let allocatedBitrate else { return true }
    return now - lastAllocation >= Self.allocationInterval || bitrate < allocatedBitrate * 9 / 10
  }
}

extension Peer {
  /// Notes a packet that goes out to the peer under `transportSequenceNumber`. One store for each packet; memory is taken
  /// with the first.
  mutating func noteSent(byteCount: Int, cluster: UInt8 = 0, now: MediaInstant) {
    guard format.transportSequenceExtensionID != 0 else { return }
    if downlink == nil { makeDownlink(now: now) }
    downlink?.pointee.estimator.sent(
      transportSequenceNumber, byteCount: byteCount + Downlink.pathOverhead, cluster: cluster, now: now)
  }

  /// Memory for it is taken with the first packet of a peer that wants to be told.
  mutating func takeIncomingRate() -> UnsafeMutablePointer<ReceiverEstimator> {
    if let incomingRate { return incomingRate }
    let new = UnsafeMutablePointer<ReceiverEstimator>.allocate(capacity: 1)
    new.initialize(to: ReceiverEstimator())
    incomingRate = new
    return new
  }

  mutating func makeDownlink(now: MediaInstant) {
    let new = UnsafeMutablePointer<Downlink>.allocate(capacity: 1)
    new.initialize(to: Downlink(now: now))
    downlink = new
  }
}
