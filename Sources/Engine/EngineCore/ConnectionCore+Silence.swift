import MediaBase

extension ConnectionCore {
  /// When the connection counts as interrupted unless something comes from the server.
  var silenceDeadline: MediaInstant? {
    guard case .joined = phase, !isSilent, let lastReception else { return nil }
    return lastReception + configuration.timing.interrupted
  }

  /// Nothing has come for too long. The path is kept: if the network comes back soon enough, nobody needs to rejoin.
  mutating func fallSilent(now: MediaInstant) {
    let limit = configuration.timing.interrupted
    if let silenceDeadline, now - silenceDeadline > limit / 8 {
      // It is this side that has slept: what has come meanwhile is read first.
      lastReception = now - limit * 3 / 4
      return
    }
    isSilent = true
    lostTime = now + configuration.timing.lost
    giveUpTime = giveUpTime ?? now + configuration.timing.giveUp
    setState(.reconnecting, .interrupted)
  }

  /// Something good has come from the server.
  mutating func heardServer(now: MediaInstant) {
    guard lastReception != nil else { return }
    lastReception = now
    guard isSilent else { return }
    isSilent = false
    lostTime = nil
    giveUpTime = nil
    setState(.connected, .rejoinSuccess)
    events.append(.rejoined(uid: uid, elapsed: now - startTime))
  }
}
