import MediaBase
import RTPWire

@testable import CongestionControl

/// A sender of sound and pictures that follows the estimate, and its receiver.
final class Flow {
  struct Settings {
    /// What the sender could use, in bits per second.
    var demand = 20_000_000
    /// What it produces at most.
    var production = 20_000_000
    var feedbackLoss = 0.0
    var feedbackDelay = MediaDuration.milliseconds(20)
    var feedbackReorders = false
    var probesAtStart = true
  }

  static let pictureInterval = MediaDuration.milliseconds(33)
  static let audioInterval = MediaDuration.milliseconds(20)
  static let audioBitrate = 48_000
  static let feedbackInterval = MediaDuration.milliseconds(50)

  var settings: Settings
  var estimator: BandwidthEstimator
  var pacer: Pacer
  private(set) var delivered: [(time: MediaInstant, byteCount: Int)] = []
  private(set) var targets: [(time: MediaInstant, bitrate: Int)] = []
  private(set) var audioWaits: [MediaDuration] = []
  private(set) var hash: UInt64 = 0
  private var random: SeededRandom
  private var number: UInt16
  private var queue: [Int] = []
  private var underWay: [(number: UInt16, time: MediaInstant, byteCount: Int)] = []
  private var feedbackUnderWay: [(feedback: TransportFeedback, time: MediaInstant)] = []
  private var recorder = FeedbackRecorder()
  private var nextPicture: MediaInstant
  private var nextAudio: MediaInstant
  private var nextFeedback: MediaInstant

  init(_ settings: Settings, seed: UInt64, now: MediaInstant, firstNumber: UInt16 = 65_000) {
    self.settings = settings
    random = SeededRandom(seed: seed)
    estimator = BandwidthEstimator(now: now)
    pacer = Pacer(now: now)
    number = firstNumber
    nextPicture = now
    nextAudio = now
    nextFeedback = now
    estimator.setDemand(settings.demand, now: now)
    if settings.probesAtStart { estimator.startProbing(now: now) }
  }

  func step(now: MediaInstant, line: inout Bottleneck) throws {
    produce(now: now)
    deliver(now: now)
    try giveFeedback(now: now)
    if let timeout = estimator.nextTimeout, timeout <= now { estimator.handleTimeout(now: now) }
    transmit(now: now, line: &line)
    if now.nanoseconds % 10_000_000 == 0 { targets.append((now, estimator.targetBitrate ?? 0)) }
  }

  private func produce(now: MediaInstant) {
    if now >= nextPicture {
      nextPicture = nextPicture + Self.pictureInterval
      let rate = max(min(estimator.targetBitrate ?? 300_000, settings.production) - Self.audioBitrate, 10_000)
      // An encoder in trouble leaves pictures out.
      guard queue.reduce(0, +) * 8 < rate / 3 else { return }
      var left = Int(Double(rate) * 0.033 / 8 * Double.random(in: 0.8...1.2, using: &random))
      while left > 0 {
        queue.append(min(left, 1_200))
        left -= 1_200
      }
    }
  }

  private func transmit(now: MediaInstant, line: inout Bottleneck) {
    if !pacer.isProbing, let cluster = estimator.pollProbe() { pacer.begin(cluster, now: now) }
    pacer.setRate(
      targetBitrate: estimator.targetBitrate, isLimited: estimator.isLimited)
    while true {
      var waiting: Pacer.Kinds = pacer.isProbing ? [.padding] : []
      if now >= nextAudio { waiting.insert(.audio) }
      if !queue.isEmpty { waiting.insert(.video) }
      guard let kind = pacer.next(of: waiting, now: now) else { return }
      switch kind {
      case .audio:
        audioWaits.append(now - nextAudio)
        nextAudio = nextAudio + Self.audioInterval
        send(120, now: now, line: &line)
      case .video: send(queue.removeFirst(), now: now, line: &line)
      default: send(300, now: now, line: &line)
      }
    }
  }

  private func send(_ byteCount: Int, now: MediaInstant, line: inout Bottleneck) {
    estimator.sent(number, byteCount: byteCount, cluster: pacer.cluster, now: now)
    pacer.sent(byteCount: byteCount, now: now)
    if let time = line.arrival(byteCount: byteCount, now: now) { underWay.append((number, time, byteCount)) }
    hash = (hash ^ UInt64(bitPattern: now.nanoseconds) ^ UInt64(byteCount)) &* 0x100_0000_01B3
    number &+= 1
  }

  private func deliver(now: MediaInstant) {
    var late: [(number: UInt16, time: MediaInstant, byteCount: Int)] = []
    for packet in underWay {
      if packet.time > now {
        late.append(packet)
      } else {
        // A clock of its own.
        recorder.received(packet.number, at: packet.time + .seconds(12_345 as Int64))
        delivered.append((packet.time, packet.byteCount))
      }
    }
    underWay = late
  }

  private func giveFeedback(now: MediaInstant) throws {
    if now >= nextFeedback {
      nextFeedback = nextFeedback + Self.feedbackInterval
      if let feedback = try recorder.makeFeedback(), Double.random(in: 0..<1, using: &random) >= settings.feedbackLoss {
        let extra = settings.feedbackReorders ? Int64.random(in: 0...120, using: &random) : 0
        feedbackUnderWay.append((feedback, now + settings.feedbackDelay + .milliseconds(extra)))
      }
    }
    for entry in feedbackUnderWay where entry.time <= now { estimator.received(entry.feedback, now: now) }
    feedbackUnderWay.removeAll { $0.time <= now }
  }

  /// What arrived between the two, in bits per second.
  func deliveredRate(from begin: MediaInstant, to end: MediaInstant) -> Double {
    let bytes = delivered.reduce(0) { $0 + ($1.time >= begin && $1.time < end ? $1.byteCount : 0) }
    return Double(bytes) * 8 / (end - begin).seconds
  }

  /// The mean of the targets between the two.
  func meanTarget(from begin: MediaInstant, to end: MediaInstant) -> Double {
    let values = targets.filter { $0.time >= begin && $0.time < end }
    return Double(values.reduce(0) { $0 + $1.bitrate }) / Double(max(values.count, 1))
  }
}
