import MediaBase

/// Decides when to try a higher rate, and which.
struct ProbeController {
  private static let resultPatience = MediaDuration.seconds(1 as Int64)
  /// Between two tries of more while nothing speaks against it; the first one after a decrease or a start comes sooner.
  private static let interval = MediaDuration.seconds(5 as Int64)
  private static let firstInterval = MediaDuration.seconds(2 as Int64)
  private static let recoveryIntervals: [Int64] = [2, 3, 5]
  private static let recoveryTime = MediaDuration.seconds(60 as Int64)

  /// What the sender could use, in bits per second.
  var demand: Double
  private let ceiling: Double
  private var clusters: [ProbeCluster] = []
  private var lastID: UInt8 = 0
  private(set) var isStarting = false
  private var continueAbove: Double?
  private var continueUntil = MediaInstant.zero
  private var lastProbe: MediaInstant?
  private var probesSinceDecrease = 0
  private var drop: (rate: Double, time: MediaInstant, attempts: Int)?

  init(demand: Double, ceiling: Double) {
    self.demand = demand
    self.ceiling = ceiling
  }

  mutating func next() -> ProbeCluster? { clusters.isEmpty ? nil : clusters.removeFirst() }

  /// Tries three and six times the rate to start with.
  mutating func start(rate: Double, now: MediaInstant) {
    guard lastProbe == nil else { return }
    isStarting = true
    let limit = max(ceiling, 2 * demand)
    request(min(3 * rate, limit), now: now)
    if 6 * rate <= limit { request(6 * rate, now: now) }
    continueAbove = 0.7 * min(6 * rate, limit)
    continueUntil = now + Self.resultPatience
  }

  /// Takes what a probe has shown, and goes on while the path gives what is tried.
  mutating func received(result: Double, now: MediaInstant) {
    guard let threshold = continueAbove, now <= continueUntil, result > threshold else { return }
    let limit = isStarting ? max(ceiling, 2 * demand) : 1.2 * demand
    guard result < 0.95 * limit else { return }
    let rate = min(2 * result, limit)
    request(rate, now: now)
    continueAbove = 0.7 * rate
    continueUntil = now + Self.resultPatience
  }

  mutating func decreased(from rate: Double, now: MediaInstant) {
    probesSinceDecrease = max(probesSinceDecrease, 1)
    if let drop, now - drop.time < Self.recoveryTime {
      self.drop = (max(drop.rate, rate), drop.time, drop.attempts)
    } else {
      drop = (rate, now, 0)
    }
  }

  /// `isQuiet` says that nothing waits on the way, and that the rate has not just been lowered.
  mutating func update(estimate: Double, isQuiet: Bool, now: MediaInstant) {
    if continueAbove != nil, now > continueUntil {
      continueAbove = nil
      isStarting = false
    }
    recover(estimate: estimate, isQuiet: isQuiet, now: now)
    guard let lastProbe, continueAbove == nil, demand > 1.05 * estimate, isQuiet else { return }
    guard now - lastProbe >= (probesSinceDecrease == 0 ? Self.firstInterval : Self.interval) else { return }
    probesSinceDecrease += 1
    tryMore(min(2 * estimate, 1.2 * demand), now: now)
  }

  /// The sender can use more than before: nobody shall wait for the next turn.
  mutating func demandGrew(estimate: Double, now: MediaInstant) {
    guard let lastProbe, continueAbove == nil, demand > 1.05 * estimate, now - lastProbe >= Self.resultPatience else {
      return
    }
    tryMore(min(2 * estimate, 1.2 * demand), now: now)
  }

  private mutating func recover(estimate: Double, isQuiet: Bool, now: MediaInstant) {
    guard let fallen = drop else { return }
    if now - fallen.time > Self.recoveryTime || (fallen.attempts > 0 && estimate >= 0.8 * fallen.rate) {
      drop = nil
      return
    }
    let intervals = Self.recoveryIntervals
    let wait = MediaDuration.seconds(intervals[min(fallen.attempts, intervals.count - 1)])
    guard estimate < 0.66 * fallen.rate, isQuiet, continueAbove == nil, now - fallen.time >= .seconds(2 as Int64),
      now - (lastProbe ?? fallen.time) >= wait || (lastProbe ?? fallen.time) < fallen.time
    else { return }
    let rate = min(0.85 * fallen.rate, 1.2 * demand)
    guard rate > 1.1 * estimate else { return }
    drop?.attempts += 1
    tryMore(rate, now: now)
  }

  private mutating func tryMore(_ rate: Double, now: MediaInstant) {
    request(rate, now: now)
    continueAbove = 0.7 * rate
    continueUntil = now + Self.resultPatience
  }

  private mutating func request(_ rate: Double, now: MediaInstant) {
    lastProbe = now
    lastID = lastID == .max ? 1 : lastID + 1
    if clusters.count >= 4 { clusters.removeFirst() }
    clusters.append(ProbeCluster(id: lastID, bitrate: Int(clampedBitrate: rate)))
  }
}

extension Int {
  /// A rate as a whole number, whatever it is.
  init(clampedBitrate rate: Double) { self = Int(exactly: Swift.min(Swift.max(rate, 0), 1e12).rounded()) ?? 0 }
}
