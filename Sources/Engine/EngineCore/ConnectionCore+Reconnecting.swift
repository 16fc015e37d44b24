import ControlWire
import MediaBase
import PeerTransport

extension ConnectionCore {
  /// The control socket could not be opened, or has closed without having been asked to.
  public mutating func controlClosed(_ reason: ControlCloseReason, now: MediaInstant) {
    switch phase {
    case .opening, .joining, .joined:
      warn(.connectionSocketError, reason.message)
      breakOff(reason.message, now: now)
    case .waiting, .ended: break
    }
  }

  /// The present attempt or connection is over: wait, then try again.
  mutating func breakOff(_ message: String, now: MediaInstant) {
    let timing = configuration.timing
    mediaDeadline = nil
    roleDeadline = nil
    lastReception = nil
    isSilent = false
    if state != .reconnecting {
      if state == .connecting { reportFirstFailure(message) }
      setState(.reconnecting, .interrupted)
      lostTime = now + timing.lost
      giveUpTime = giveUpTime ?? now + timing.giveUp
    }
    var delay = timing.firstRetryDelay * Int64(1 &<< min(attemptCount, 16))
    delay = min(delay, timing.longestRetryDelay)
    delay = delay + MediaDuration(nanoseconds: Int64(random.next() % UInt64(max(1, delay.nanoseconds / 4))))
    attemptCount += 1
    phase = .waiting(until: now + delay)
  }

  /// The control socket has ended since the address of this machine that it belonged to has gone, while another leads to the
  /// server: one is opened there at once, and the user joins again by it, so that it was never gone for the others. Meanwhile
  /// media goes on over the path there is.
  public mutating func clientAddressChanged(now: MediaInstant) {
    switch phase {
    case .waiting, .ended: return
    case .opening, .joining: break
    case .joined:
      warnOfAddress(now: now)
      if state != .reconnecting {
        setState(.reconnecting, .clientIPChanged)
        lostTime = now + configuration.timing.lost
        giveUpTime = giveUpTime ?? now + configuration.timing.giveUp
      }
      isSilent = false
      lastReception = nil
      mediaDeadline = nil
      roleDeadline = nil
    }
    tryAtOnce(now: now)
    path?.transport.checkNow(now: now)
  }

  /// This machine has another address beside those it had: a new attempt may succeed where the last ones could not.
  public mutating func addressAdded(now: MediaInstant) {
    if case .waiting = phase { tryAtOnce(now: now) }
  }

  /// Datagrams leave from another address of this machine: the server is told where to send at once.
  public mutating func mediaSourceChanged(now: MediaInstant) {
    guard path != nil else { return }
    warnOfAddress(now: now)
    path?.transport.checkNow(now: now)
  }

  private mutating func tryAtOnce(now: MediaInstant) {
    attemptCount = 0
    commands.append(.connect)
    phase = .opening(deadline: now + configuration.timing.joinTimeout)
  }

  private mutating func reportFirstFailure(_ message: String) {
    events.append(
      .error(
        .netDown,
        message: "The channel \(configuration.channel) cannot be joined yet: \(message) The engine keeps trying."))
  }

  mutating func handleControlTimeout(now: MediaInstant) {
    if let giveUpTime, now >= giveUpTime { return giveUp(now: now) }
    if let lostTime, now >= lostTime {
      self.lostTime = nil
      setState(.reconnecting, .lost)
    }
    if let mediaDeadline, now >= mediaDeadline {
      self.mediaDeadline = nil
      commands.append(.close)
      let message = "No media path to the server opened; is its UDP port reachable?"
      warn(.openChannelTimeout, message)
      breakOff(message, now: now)
    }
    warnOfRoleIfDue(now: now)
    if let silenceDeadline, now >= silenceDeadline { fallSilent(now: now) }
    guard let deadline = phase.deadline, now >= deadline else { return }
    switch phase {
    case .opening, .joining:
      let isReached = if case .joining = phase { true } else { false }
      let message = "The server did not answer in time."
      commands.append(.close)
      warn(isReached ? .openChannelTimeout : .lookupChannelTimeout, message)
      breakOff(message, now: now)
    case .waiting:
      phase = .opening(deadline: now + configuration.timing.joinTimeout)
      commands.append(.connect)
    case .joined, .ended: break
    }
  }

  private mutating func giveUp(now: MediaInstant) {
    switch phase {
    case .opening, .joining, .joined: commands.append(.close)
    case .waiting, .ended: break
    }
    end(now: now)
    setState(.failed, .joinFailed)
  }

  /// The server refused to let the user in, or has put the user out.
  mutating func handleRemoval(_ error: ErrorResponse, now: MediaInstant) {
    if error.code == .shuttingDown {
      commands.append(.close)
      warn(.openChannelTryNextServer, error.message)
      return breakOff(error.message, now: now)
    }
    if joinsOtherwise(error, now: now) { return }
    commands.append(.close)
    end(now: now)
    if showsTokenAgain { answerToken(RenewTokenResult(error)) }
    awaitsToken = error.code == .tokenExpired
    if awaitsToken { events.append(.tokenRequested) }
    events.append(.error(error.code.engineCode, message: error.message))
    setState(.failed, error.code.connectionReason)
  }

  /// There is another token for the one that has run out: join again as what is wanted says, under the number of before.
  mutating func comeBack(now: MediaInstant) {
    awaitsToken = false
    showsTokenAgain = wanted.token == confirmed.token
    giveUpTime = now + configuration.timing.giveUp
    setState(.connecting, .renewToken)
    tryAtOnce(now: now)
  }

  /// In the channel, for the first time or again.
  mutating func enter(_ joined: JoinedResponse, now: MediaInstant) {
    guard openPath(joined, now: now) else {
      commands.append(.close)
      return breakOff("The server's answer cannot be used; do client and server have the same version?", now: now)
    }
    let isFirst = joinTime == nil
    phase = .joined
    attemptCount = 0
    lastReception = nil
    isSilent = false
    giveUpTime = nil
    lostTime = nil
    uid = joined.uid
    let elapsed = now - startTime
    setState(.connected, isFirst ? .joinSuccess : .rejoinSuccess)
    if isFirst {
      joinTime = now
      statistics.timeToJoin = elapsed
      events.append(.joined(uid: uid, elapsed: elapsed))
    } else {
      events.append(.rejoined(uid: uid, elapsed: elapsed))
    }
    statisticsTime = statisticsTime ?? now + configuration.timing.statisticsInterval
    confirmJoin()
    setMaySendData(joined.maySendData ?? true)
    replaceUsers(joined.users, now: now)
    refreshPublishing(now: now)
    refreshPublishStates(now: now)
  }

  mutating func end(now: MediaInstant) {
    for uid in users.keys.sorted() { refreshSubscribeStates(of: uid, isLeaving: true, now: now) }
    phase = .ended
    awaitsToken = false
    refreshPublishStates(now: now)
    statisticsTime = nil
    path = nil
    isMediaOpen = false
    lastReception = nil
    isSilent = false
    giveUpTime = nil
    lostTime = nil
    mediaDeadline = nil
    roleDeadline = nil
    freezeCheck = nil
    publishing = .none
    users.removeAll()
    streams.removeAll()
  }

  mutating func setState(_ newState: ConnectionState, _ reason: ConnectionChangedReason) {
    state = newState
    events.append(.stateChanged(newState, reason))
  }
}
