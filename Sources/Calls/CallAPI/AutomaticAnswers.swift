import MediaEngine

/// How many calls may be refused without asking anybody, so that who is flooded with calls does not flood the server with
/// answers, which would put it off there. A call beyond that is refused in silence: its caller hears nothing.
///
/// Two leaky buckets, each kept as the time at which it is empty: one for everybody, one for each of the last callers.
struct AutomaticAnswers: Sendable {
  private struct Caller {
    var uid: UInt
    var emptyTime: MediaInstant
  }

  private var emptyTime = MediaInstant.zero
  private var callers: [Caller] = []

  /// 20 at once and 20 a second; less than half of what a server takes from one user.
  static let interval = MediaDuration.milliseconds(50)
  static let burst: Int64 = 20
  /// 3 at once and then one each 300 ms for one caller, so that one alone does not use up what others need.
  static let callerInterval = MediaDuration.milliseconds(300)
  static let callerBurst: Int64 = 3
  /// Most callers that are remembered.
  static let callerLimit = 64

  /// Whether one more call of `caller` may be answered now; counts it if so.
  mutating func take(_ caller: UInt, now: MediaInstant) -> Bool {
    callers.removeAll { $0.emptyTime <= now }
    let index = callers.firstIndex { $0.uid == caller }
    let callersTime = index.map { callers[$0].emptyTime } ?? now
    let ownTime = max(emptyTime, now)
    guard callersTime - now <= Self.callerInterval * (Self.callerBurst - 1),
      ownTime - now <= Self.interval * (Self.burst - 1)
    else { return false }
    emptyTime = ownTime + Self.interval
    if let index { callers.remove(at: index) } else if callers.count >= Self.callerLimit { callers.removeFirst() }
    callers.append(Caller(uid: caller, emptyTime: callersTime + Self.callerInterval))
    return true
  }
}
