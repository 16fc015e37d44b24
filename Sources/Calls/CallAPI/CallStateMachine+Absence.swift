import MediaEngine

/// The end of calls whose hangup got lost: the other side is gone from the channel, or this side cannot be reached.
extension CallStateMachine {
  private var absenceLimit: Int { max(0, configuration?.peerAbsenceTimeoutMilliseconds ?? 0) }

  /// Whether a timer of the absence's may run: it shares the one of calling and connecting.
  private var isAbsenceWatched: Bool {
    absenceLimit > 0
      && (state == .connected || state == .connecting && configuration?.callTimeoutMilliseconds ?? 0 <= 0)
  }

  /// Starts or stops the timer as the other side goes or comes.
  mutating func watchAbsence() {
    guard isAbsenceWatched else { return }
    let isAway = session.isCutOff || !session.isPeerPresent
    guard isAway != session.isAbsenceTimed else { return }
    session.isAbsenceTimed = isAway
    effects.append(isAway ? .startTimer(milliseconds: absenceLimit) : .stopTimer)
  }

  /// The code by which a server says that it has put the other side out of the channel, or this one.
  static let bannedByServer = EngineErrorCode.clientIsBannedByServer.rawValue

  private var isAccepted: Bool { state == .connecting || state == .connected }

  /// Whether a server says by a hangup that a side is missing: whoever is still there decides what becomes of the call.
  func tellsOfRemoval(_ message: CallMessage) -> Bool {
    message.messageID == nil && ["lost", "neverConnected"].contains(message.hangupReason)
      && message.callID == session.callID && isAccepted
  }

  /// The server has put the other side out of the channel, or this one: told once, although it may be heard on two ways, and
  /// the end of the call if the application allows that.
  mutating func takeRemoval(by source: CallRemovalSource, _ text: String?, _ now: CallInstant) {
    if let known = session.removalSource, known != source {
      session.removalSource = nil
    } else {
      session.removalSource = source
      notify(.error(.rtcOccurError, .rtc, code: Self.bannedByServer, message: text))
    }
    guard absenceLimit > 0, isAccepted else { return }
    endForAbsence(now)
  }

  /// Hangs up as if the other side had; it is told, in case it is there after all.
  mutating func endForAbsence(_ now: CallInstant) {
    guard let peer = session.peer else { return }
    var message = message(.hangup)
    message.hangupReason = "remoteLeft"
    send(message, to: peer, PendingSend(prefix: nil), now)
    let info: [String: JSONValue] = [
      CallInfoKey.fromUserID: JSONValue(peer), CallInfoKey.callID: .string(session.callID),
      CallInfoKey.hangupReason: "remoteLeft",
    ]
    setState(.prepared, .remoteHangup, info: info, now: now)
    tell(.remoteHangup, now)
  }
}
