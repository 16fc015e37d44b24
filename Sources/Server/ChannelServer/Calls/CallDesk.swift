import CallSupervision
import ChannelCore
import ControlWire
import Glibc
import LinuxIO
import MediaBase
import WebSocketIO

/// Gives a `CallLedger` clocks, a timer, and the ways to signalling, channels and records.
final class CallDesk: @unchecked Sendable {
  // @unchecked: touched on the HTTP server's thread only.

  /// Sends a text to a user in the name of another.
  var sendText: (_ text: String, _ from: UInt, _ to: UInt) -> Void = { _, _, _ in }
  /// Tells users of a channel that the other side of their call has been removed.
  var endInChannel: (_ channel: String, _ uids: [UInt]) -> Void = { _, _ in }

  /// Whether a user is logged in here.
  var isLoggedIn: (UInt) -> Bool = { _ in false }

  private var ledger: CallLedger
  /// Calls that could not be recorded, since the server was started.
  private(set) var unrecordedCount: UInt64 = 0

  /// Changes of records that the store could not keep.
  var lostRecordChangeCount: UInt64 { store.lostCount }

  private let cluster: ClusterLink?
  /// Calls whose records are for this server to publish: those of its callers.
  private var published: Set<String> = []
  /// Calls of before this server was started: whose they are is seen by where their callers are.
  private var restored: Set<String> = []
  private let store: any CallRecordStore
  private let observers: [@Sendable (CallLedgerEvent) -> Void]
  private weak var http: HTTPServer?
  private var timerTime: MediaInstant?

  init(
    configuration: CallLedgerConfiguration, store: any CallRecordStore,
    observers: [@Sendable (CallLedgerEvent) -> Void], cluster: ClusterLink?, http: HTTPServer
  ) {
    self.cluster = cluster
    ledger = CallLedger(configuration: configuration)
    self.store = store
    self.observers = observers
    self.http = http
  }

  func attach(to http: HTTPServer, gate: OperatorGate) {
    CallPages(store: store, gate: gate).attach(to: http)
    store.findOpen(limit: ledger.configuration.maximumCallCount / 2) { [weak self, weak http] records in
      http?.post { [weak self] in self?.restore(records) }
    }
  }

  /// Goes on with calls that were open when the server ended.
  private func restore(_ records: [CallRecord]) {
    guard !records.isEmpty else { return }
    if cluster != nil { restored.formUnion(records.map(\.callID)) }
    step { ledger, now in for record in records.reversed() { ledger.restore(record, now: now) } }
  }

  /// A text has passed through signalling. Texts of other applications are let alone.
  func passed(_ text: String, from: UInt, to: UInt, isDelivered: Bool) {
    guard CallTextFilter.mayBeCallMessage(text), let signal = try? CallSignal(text: text) else { return }
    step { ledger, now in ledger.receive(signal, from: from, to: to, isDelivered: isDelivered, now: now) }
  }

  /// A user reports on a call. Returns why that is refused.
  func take(_ report: ReportRequest, from uid: UInt) -> ErrorResponse? {
    step { ledger, now in ledger.receive(report, from: uid, now: now) }
  }

  /// A user has entered or left a channel.
  func note(_ presence: ChannelPresence) {
    step { ledger, now in
      if presence.isPresent {
        ledger.joined(presence.channel, uid: presence.uid, now: now)
      } else {
        ledger.left(presence.channel, uid: presence.uid, now: now)
      }
    }
  }

  private func step<Result>(_ body: (inout CallLedger, CallLedger.Time) -> Result) -> Result {
    let now = CallLedger.Time(instant: MonotonicClock.now(), milliseconds: Self.wallMilliseconds())
    let result = body(&ledger, now)
    while let event = ledger.pollEvent() { take(event) }
    setTimer(now: now.instant)
    return result
  }

  private func take(_ event: CallLedgerEvent) {
    for observer in observers { observer(event) }
    switch event {
    case .changed(let record, let change):
      store.save(record)
      if let cluster { publish(record, change, to: cluster) }
    case .unrecorded: unrecordedCount &+= 1
    case .removed(let channel, let uids): endInChannel(channel, uids)
    case .hangup(let callID, let from, let to, let reason):
      let hangup = ServerHangup(
        timestamp: Self.wallMilliseconds(), fromUserID: from, callID: callID, reason: reason.rawValue)
      guard let text = try? ControlMessageCoding.encode(hangup) else { return }
      // Later, since it may have come from a text that is being taken.
      http?.post { [weak self] in self?.sendText(text, from, to) }
    }
  }

  private func publish(_ record: CallRecord, _ change: CallLedgerEvent.Change, to cluster: ClusterLink) {
    let isRestored = restored.contains(record.callID)
    if change == .ended { restored.remove(record.callID) }
    if change == .started || isRestored, isLoggedIn(record.caller) {
      if published.count > 2 * ledger.callCount + 100 { published = published.filter { ledger.record($0) != nil } }
      published.insert(record.callID)
    }
    if published.contains(record.callID) { cluster.publish(record, change) }
  }

  /// One timer at a time; one that comes too early is harmless.
  private func setTimer(now: MediaInstant) {
    guard let next = ledger.nextTimeout else { return }
    if let timerTime, timerTime <= next { return }
    timerTime = next
    let delay = UInt32(clamping: max(0, (next - now).milliseconds + 1))
    http?.post(afterMilliseconds: delay) { [weak self] in
      guard let self, timerTime == next else { return }
      timerTime = nil
      step { ledger, now in ledger.handleTimeout(now: now) }
    }
  }

  /// Milliseconds since 1970.
  static func wallMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// A hangup as the sides of a call send it, without a number, as a server's has none.
private struct ServerHangup: Encodable {
  var action = CallSignal.Action.hangup.rawValue
  var version = "1.0"
  var timestamp: Int64
  var fromUserID: UInt
  var callID: String
  var reason: String

  enum CodingKeys: String, CodingKey {
    case action = "message_action"
    case version = "message_version"
    case timestamp = "message_timestamp"
    case fromUserID = "fromUserId"
    case callID = "callId"
    case reason = "hangupReason"
  }
}
