import ChannelCore
import ControlWire
import LinuxIO
import MediaBase
import WebSocketIO

/// Gives a `SignalDirectory` the clock and the timer of the HTTP thread.
final class SignalRelay: @unchecked Sendable {
  // @unchecked: touched on the HTTP server's thread only.

  /// Sends what is to be sent.
  var deliver: (SignalDelivery) -> Void = { _ in }

  private var directory: SignalDirectory
  private let calls: CallDesk
  private weak var http: HTTPServer?
  private var timerTime: MediaInstant?

  private let cluster: ClusterLink?

  init(configuration: SignalConfiguration, calls: CallDesk, cluster: ClusterLink?, http: HTTPServer) {
    var configuration = configuration
    configuration.isClustered = cluster != nil
    directory = SignalDirectory(configuration: configuration)
    self.calls = calls
    self.cluster = cluster
    self.http = http
    calls.isLoggedIn = { [unowned self] uid in directory.isLoggedIn(uid) }
    cluster?.deliver = { [weak self] news in self?.take(news) }
    calls.sendText = { [unowned self] text, from, to in send(text, from: from, to: to) }
  }

  /// What the server has to say to a user, in the name of another.
  private func send(_ text: String, from: UInt, to: UInt) {
    let now = MonotonicClock.now()
    directory.send(text, from: from, to: to, timeToLive: .seconds(15), now: now)
    finishTurn(now: now)
  }

  var userCount: Int { directory.userCount }

  func receive(_ request: SignalRequest, from client: UInt64, now: MediaInstant) {
    directory.receive(request, from: client, now: now)
    finishTurn(now: now)
  }

  func clientClosed(_ client: UInt64, now: MediaInstant) {
    directory.clientClosed(client, now: now)
    finishTurn(now: now)
  }

  private func finishTurn(now: MediaInstant) {
    while let event = directory.pollEvent() { take(event, now: now) }
    while let delivery = directory.pollDelivery() { deliver(delivery) }
    setTimer(now: now)
  }

  private func take(_ event: SignalDirectoryEvent, now: MediaInstant) {
    switch event {
    case .report(let report, let uid, let client):
      directory.answerReport(report.requestID, client: client, error: calls.take(report, from: uid))
    case .relayed(let message, let from, let to): calls.passed(message, from: from, to: to, isDelivered: true)
    case .unreachable(let message, let from, let to): calls.passed(message, from: from, to: to, isDelivered: false)
    case .received(let message, let from, let to): calls.passed(message, from: from, to: to, isDelivered: true)
    case .claimed(let claim): cluster?.claim(claim)
    case .loggedOut(let uid): cluster?.loggedOut(uid)
    case .remoteText(let text): cluster?.send(text)
    case .remoteAnswer(let server, let number, let error): cluster?.answer(server, number: number, error: error)
    }
  }

  /// News of other servers.
  private func take(_ news: ClusterLink.News) {
    let now = MonotonicClock.now()
    switch news {
    case .text(let text, let server): directory.receive(text, server: server, now: now)
    case .answer(let number, let error): directory.remoteAnswered(number, error: error, now: now)
    case .taken(let uid, let number): directory.loggedInElsewhere(uid, number: number, now: now)
    case .numbered(let claim, let number): directory.numbered(claim, number, now: now)
    case .claimFailed(let claim): directory.claimFailed(claim)
    case .refresh: cluster?.repeatClaims(directory.claimsToRepeat(), now: now)
    }
    finishTurn(now: now)
  }

  /// One timer at a time; one that comes too early is harmless.
  private func setTimer(now: MediaInstant) {
    guard let next = directory.nextTimeout else { return }
    if let timerTime, timerTime <= next { return }
    timerTime = next
    let delay = UInt32(clamping: max(0, (next - now).milliseconds + 1))
    http?.post(afterMilliseconds: delay) { [weak self] in
      guard let self, timerTime == next else { return }
      timerTime = nil
      let now = MonotonicClock.now()
      directory.handleTimeout(now: now)
      finishTurn(now: now)
    }
  }
}
