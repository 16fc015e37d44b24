import CallSupervision
import ChannelCore
import ControlWire
import MediaBase
import WebSocketIO

extension FuzzedParser {
  /// Takes each line for a message between two of three users, or a time to wait: whatever they say, a ledger keeps its bounds,
  /// forgets what is over, and never says twice that a call has begun or ended.
  static func followCalls(_ text: String) {
    var configuration = CallLedgerConfiguration()
    configuration.maximumCallCount = 8
    configuration.maximumCallCountOfUser = 4
    var ledger = CallLedger(configuration: configuration)
    var now = CallLedger.Time(instant: .zero, milliseconds: 1_700_000_000_000)
    var open: Set<String> = []
    func check(_ ledger: inout CallLedger) {
      while let event = ledger.pollEvent() {
        guard case .changed(let record, let change) = event else { continue }
        switch change {
        case .started: precondition(open.insert(record.callID).inserted, "it has begun already")
        case .ended: precondition(open.remove(record.callID) != nil && record.endReason != nil, "it is not open")
        default: break
        }
      }
      precondition(ledger.callCount <= configuration.maximumCallCount)
    }
    for (number, line) in text.split(separator: "\n").prefix(100).enumerated() {
      let (from, to) = (UInt(number % 3 + 1), UInt((number / 3) % 3 + 1))
      if var signal = try? CallSignal(text: String(line)) {
        // What is another's counts for nothing, and would lead nowhere.
        if number % 11 != 10 { signal.fromUserID = from }
        precondition(signal.callID.utf8.count <= CallSignal.maximumNameByteCount)
        ledger.receive(signal, from: from, to: to, isDelivered: number % 5 != 4, now: now)
        if number % 2 == 0 { ledger.joined(signal.roomID, uid: from, now: now) }
        if number % 7 == 0 { ledger.left(signal.roomID, uid: to, now: now) }
      } else {
        let step = Int64(line.utf8.count) * 1_000
        now.instant = now.instant + .milliseconds(step)
        now.milliseconds += step
        ledger.handleTimeout(now: now)
      }
      check(&ledger)
    }
    for _ in 0..<1_000 {
      guard let next = ledger.nextTimeout else { break }
      now.instant = max(now.instant, next)
      ledger.handleTimeout(now: now)
      check(&ledger)
    }
    precondition(ledger.nextTimeout == nil, "it has always something to wait for")
  }

  /// Reads what another server says; what can be read must be writable and readable again.
  static func readClusterMessage(_ text: String) {
    guard let message = try? ControlMessageCoding.decode(ClusterMessage.self, from: text) else { return }
    guard let written = try? ControlMessageCoding.encode(message),
      (try? ControlMessageCoding.decode(ClusterMessage.self, from: written)) == message
    else { fatalError("it does not come back") }
    var configuration = SignalConfiguration()
    configuration.isClustered = true
    var directory = SignalDirectory(configuration: configuration)
    directory.receive(.login(LoginRequest(uid: 2, session: "0123456789abcdef")), from: 1, now: .zero)
    switch message {
    case .text(let text, let server): directory.receive(text, server: server, now: .zero)
    case .answer(let number, let error): directory.remoteAnswered(number, error: error, now: .zero)
    case .taken(let uid, let number): directory.loggedInElsewhere(uid, number: number, now: .zero)
    }
    for _ in 0..<10 {
      guard let next = directory.nextTimeout else { break }
      directory.handleTimeout(now: next)
    }
    precondition(directory.nextTimeout == nil, "it has always something to wait for")
  }
}
