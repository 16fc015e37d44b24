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
  private weak var http: HTTPServer?
  private var timerTime: MediaInstant?

  init(configuration: SignalConfiguration, http: HTTPServer) {
    directory = SignalDirectory(configuration: configuration)
    self.http = http
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
    case .report(let report, _, let client):
      directory.answerReport(
        report.requestID, client: client,
        error: ErrorResponse(code: .invalidArgument, message: "There is no record of call \(report.callID)."))
    case .loggedIn, .loggedOut, .relayed, .unreachable, .remoteText, .remoteAnswer: break
    }
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
