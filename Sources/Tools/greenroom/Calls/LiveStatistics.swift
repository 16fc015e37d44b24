import CallAPI
import Dispatch
import MediaEngine

/// Shows once in a second how a call goes that is connected.
final class LiveStatistics: @unchecked Sendable {
  // @unchecked: everything is touched on `queue` only.

  private let queue = DispatchQueue(label: "greenroom.statistics")
  private weak var engine: RTCEngine?
  private var uid: UInt = 0
  private var peer: UInt = 0
  private var connection: RTCConnection?
  private var last: RTCStatistics?
  private var timer: (any DispatchSourceTimer)?

  func attach(to engine: RTCEngine, uid: UInt) {
    queue.sync { (self.engine, self.uid) = (engine, uid) }
  }

  /// Begins when a call connects, and ends when it does.
  func take(_ report: CallObserver.Report) {
    switch report {
    case .connected(let room): queue.sync { connection = RTCConnection(channelID: room, localUID: uid) }
    case .state(.connected, _, let details): queue.sync { begin(details.sender ?? 0) }
    case .state(.prepared, _, _), .state(.idle, _, _): stop()
    default: break
    }
  }

  /// Takes the line away.
  func stop() {
    queue.sync {
      timer?.cancel()
      (timer, last, connection) = (nil, nil, nil)
      Terminal.status("")
    }
  }

  private func begin(_ peer: UInt) {
    self.peer = peer
    last = connection.flatMap { engine?.statistics(of: $0) }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [weak self] in self?.show() }
    timer.activate()
    self.timer = timer
  }

  private func show() {
    guard timer != nil, let connection, let now = engine?.statistics(of: connection) else { return }
    if let last { Terminal.status(CallStatisticsLine(from: last, to: now, peer: peer).text) }
    last = now
  }
}
