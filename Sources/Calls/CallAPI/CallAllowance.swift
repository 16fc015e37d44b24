import MediaEngine

/// How many calls of others may have an effect: whoever is called often must not be led to send so much that the server puts
/// it off for that.
///
/// Two leaky buckets, each kept as the time at which it is empty: one for everybody, one for each of the last callers.
struct CallAllowance: Sendable {
  private struct Caller {
    var uid: UInt
    var emptyTime: MediaInstant
  }

  /// The time after which one more call may come, and how many may come at once.
  private let interval: MediaDuration
  private let burst: Int64
  private var emptyTime = MediaInstant.zero
  private var callers: [Caller] = []

  /// 3 at once and then one each 300 ms for one caller, so that one alone does not use up what others need.
  static let callerInterval = MediaDuration.milliseconds(300)
  static let callerBurst: Int64 = 3
  /// Most callers that are remembered.
  static let callerLimit = 64

  /// Calls that ring: an application may answer each at once with up to two messages, and send two reports. One beyond that
  /// is refused.
  static var ringing: CallAllowance { CallAllowance(interval: .milliseconds(150), burst: 10) }

  /// Calls that are refused without asking anybody. One beyond that is refused in silence: its caller hears nothing.
  ///
  /// With what those that ring may lead to, 46 messages a second; a server takes 50 from one user.
  static var refusals: CallAllowance { CallAllowance(interval: .milliseconds(50), burst: 20) }

  private init(interval: MediaDuration, burst: Int64) {
    self.interval = interval
    self.burst = burst
  }

  /// Whether one more call of `caller` may count now; takes it if so.
  mutating func take(_ caller: UInt, now: MediaInstant) -> Bool {
    callers.removeAll { $0.emptyTime <= now }
    let index = callers.firstIndex { $0.uid == caller }
    let callersTime = index.map { callers[$0].emptyTime } ?? now
    let ownTime = max(emptyTime, now)
    guard callersTime - now <= Self.callerInterval * (Self.callerBurst - 1), ownTime - now <= interval * (burst - 1)
    else { return false }
    emptyTime = ownTime + interval
    if let index { callers.remove(at: index) } else if callers.count >= Self.callerLimit { callers.removeFirst() }
    callers.append(Caller(uid: caller, emptyTime: callersTime + Self.callerInterval))
    return true
  }
}
