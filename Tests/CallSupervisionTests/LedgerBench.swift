import CallSupervision
import ControlWire
import MediaBase
import Testing

/// A ledger on a virtual clock, with all it has said.
struct LedgerBench {
  var ledger = CallLedger()
  private(set) var milliseconds: Int64 = 0
  private(set) var changes: [String] = []
  private(set) var removals: [String] = []
  private(set) var hangups: [String] = []

  static let epoch: Int64 = 1_700_000_000_000

  var now: CallLedger.Time {
    CallLedger.Time(instant: .zero + .milliseconds(milliseconds), milliseconds: Self.epoch + milliseconds)
  }

  mutating func say(
    _ action: CallSignal.Action, _ callID: String = "c", from: UInt, as name: UInt? = nil, to: UInt,
    room: String = "room", reason: String? = nil, isInternal: Bool = false, isDelivered: Bool = true
  ) {
    ledger.receive(
      CallSignal(
        action: action, fromUserID: name ?? from, callID: callID, roomID: room, reason: reason, isInternal: isInternal),
      from: from, to: to, isDelivered: isDelivered, now: now)
    drain()
  }

  mutating func join(_ uid: UInt, _ room: String = "room") {
    ledger.joined(room, uid: uid, now: now)
    drain()
  }

  mutating func leave(_ uid: UInt, _ room: String = "room") {
    ledger.left(room, uid: uid, now: now)
    drain()
  }

  mutating func report(
    _ callID: String = "c", by uid: UInt, kind: String = "ended", costs: [String: Int] = [:],
    quality: [String: Double] = [:]
  ) -> ErrorResponse? {
    defer { drain() }
    return ledger.receive(
      ReportRequest(requestID: 1, callID: callID, kind: kind, costs: costs, quality: quality), from: uid, now: now)
  }

  /// A server that has been started again finds this call between 1 and 2 in its records.
  mutating func restore(isAccepted: Bool, isConnected: Bool) {
    var record = CallRecord(
      callID: "c", caller: 1, callee: 2, room: "room", type: .video, startTime: Self.epoch - 60_000)
    if isAccepted { record.acceptTime = Self.epoch - 50_000 }
    if isConnected { record.connectTime = Self.epoch - 49_000 }
    ledger.restore(record, now: now)
    drain()
  }

  /// Lets time pass, with timers called when they ask to be.
  mutating func pass(_ duration: Int64) {
    let end = milliseconds + duration
    while let next = ledger.nextTimeout, next <= .zero + .milliseconds(end) {
      milliseconds = max(milliseconds, (next - .zero).milliseconds)
      ledger.handleTimeout(now: now)
      drain()
    }
    milliseconds = end
  }

  /// Both in a connected call.
  mutating func connect(_ callID: String = "c", room: String = "room") {
    say(.videoCall, callID, from: 1, to: 2, room: room)
    join(1, room)
    join(2, room)
    say(.accept, callID, from: 2, to: 1)
  }

  private mutating func drain() {
    while let event = ledger.pollEvent() {
      switch event {
      case .changed(let record, let change):
        let end = record.endReason.map { " \($0) by \(record.endedBy ?? 0)" } ?? ""
        changes.append("\(record.callID) \(change)\(change == .ended ? end : "")")
      case .unrecorded(let record): changes.append("\(record.callID) unrecorded")
      case .removed(let channel, let uids): removals.append("\(channel) \(uids) at \(milliseconds / 1_000) s")
      case .hangup(let id, let from, let to, let reason):
        hangups.append("\(id) \(from)>\(to) \(reason) at \(milliseconds / 1_000) s")
      }
    }
  }
}
