import ControlWire
import Dispatch
import LinuxIO
import MediaBase
import Synchronization
import WebSocketIO

/// Gives a `SignalClientCore` a queue, a clock and a socket.
final class SignalClientDriver: @unchecked Sendable {
  // @unchecked: apart from `handlers` and `published`, everything is touched on `queue` only.

  typealias Completion = @Sendable (SignalError?) -> Void

  struct Published: Sendable {
    var uid: UInt?
    var state = SignalConnectionState.disconnected
  }

  let queue = DispatchQueue(label: "greenroom.signal")
  let handlers = SignalHandlers()
  let published = Mutex(Published())

  private let url: String
  private let trustedCertificates: String?
  private var core: SignalClientCore
  private var completions: [Int: Completion] = [:]
  private var completionCount = 0
  private var socket: WebSocketClient?
  /// Counts sockets, so that late events of an old one are recognised.
  private var generation = 0
  private var timerTime: MediaInstant?

  init(url: String, trustedCertificates: String?, timing: SignalClientCore.Timing) {
    self.url = url
    self.trustedCertificates = trustedCertificates
    var generator = SystemRandomNumberGenerator()
    core = SignalClientCore(timing: timing, seed: generator.next()) {
      var generator = SystemRandomNumberGenerator()
      return (0..<2).map { _ in
        let digits = String(generator.next(), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
    }
  }

  func logIn(uid: UInt, token: String, _ completion: @escaping Completion) {
    take(completion) { $0.logIn(uid: uid, token: token, completion: $1, now: $2) }
  }

  func logOut() { step { core, _ in core.logOut() } }

  func send(
    _ message: String, to receiver: UInt, _ timeToLiveMilliseconds: Int?, _ completion: @escaping Completion
  ) {
    let timeToLive = timeToLiveMilliseconds.map { MediaDuration.milliseconds(Int64(max(0, $0))) }
    take(completion) { $0.send(message, to: receiver, timeToLive: timeToLive, completion: $1, now: $2) }
  }

  func report(_ report: ReportRequest, _ completion: @escaping Completion) {
    take(completion) { $0.report(report, completion: $1, now: $2) }
  }

  func renewToken(_ token: String, _ completion: @escaping Completion) {
    take(completion) { $0.renewToken(token, completion: $1, now: $2) }
  }

  private func take(
    _ completion: @escaping Completion, _ body: (inout SignalClientCore, Int, MediaInstant) -> Void
  ) {
    completionCount += 1
    completions[completionCount] = completion
    step { core, now in body(&core, completionCount, now) }
  }

  private func step(_ body: (inout SignalClientCore, MediaInstant) -> Void) {
    body(&core, MonotonicClock.now())
    while let effect = core.pollEffect() { carryOut(effect) }
    setTimer()
  }

  private func carryOut(_ effect: SignalClientCore.Effect) {
    switch effect {
    case .connect: connect()
    case .disconnect:
      generation += 1
      socket = nil
    case .write(let request):
      if let text = try? ControlMessageCoding.encode(request) { socket?.send(text: text) }
    case .notify(let event):
      if case .connectionStateChanged(let state, _) = event {
        let snapshot = Published(uid: core.uid, state: state)
        published.withLock { $0 = snapshot }
      }
      handlers.call(event)
    case .complete(let id, let error): completions.removeValue(forKey: id)?(error)
    }
  }

  private func connect() {
    generation += 1
    let generation = generation
    socket = WebSocketClient(url: url, trustedCertificates: trustedCertificates) { [weak self, queue] event in
      queue.async { [weak self] in self?.take(event, generation) }
    }
  }

  private func take(_ event: WebSocketEvent, _ generation: Int) {
    guard generation == self.generation else { return }
    step { core, now in
      switch event {
      case .opened: core.opened()
      case .text(let text):
        if let response = try? ControlMessageCoding.decode(SignalResponse.self, from: text) {
          core.receive(response, now: now)
        }
      case .closed, .addressLost: core.closed(now: now)
      case .failed(let error): core.failed(error.description, now: now)
      }
    }
  }

  /// One timer at a time; one that comes too early is harmless.
  private func setTimer() {
    guard let next = core.nextTimeout else { return }
    if let timerTime, timerTime <= next { return }
    timerTime = next
    let delay = max(0, (next - MonotonicClock.now()).nanoseconds)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay))) { [weak self] in
      guard let self, timerTime == next else { return }
      timerTime = nil
      step { core, now in core.handleTimeout(now: now) }
    }
  }
}
