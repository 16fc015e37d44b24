import CallAPI
import MediaEngine
import Synchronization

/// Accepts or rejects what rings, is in the show meanwhile, and keeps a record.
final class AnsweringDesk: Sendable {
  /// What is known so far.
  struct Record: Sendable {
    /// Calls that have rung.
    var callCount = 0
    /// Whether any call has connected.
    var hasConnected = false
    /// Calls that were refused, here or by their caller, because they could not be encrypted.
    var unencryptedCount = 0
    /// Calls that were accepted and ended by themselves or by their caller before they were connected.
    var unconnectedCount = 0
    /// Why this user may not be in the room of a call.
    var tokenRefusal: String?
  }

  private struct State {
    weak var participant: CallParticipant?
    var peer: UInt?
    /// Whether the call with `peer` has been accepted and is not connected yet.
    var isConnecting = false
    var asks = false
    /// Whether there is a show, and whether the host is in it now.
    var isInShow: Bool?
    var record = Record()
  }

  private let state = Mutex(State())
  private let interruption: Interruption
  private let limit: Int
  private let rejects: Bool

  /// - Parameters:
  ///   - interruption: ended when `limit` calls have ended.
  ///   - limit: how many calls to take.
  ///   - rejects: whether every call is rejected.
  init(_ interruption: Interruption, limit: Int, rejects: Bool) {
    self.interruption = interruption
    self.limit = limit
    self.rejects = rejects
  }

  /// Who is being talked with.
  var peer: UInt? { state.withLock { $0.peer } }
  var record: Record { state.withLock { $0.record } }

  /// Whether a person says what becomes of a call.
  var asks: Bool {
    get { state.withLock { $0.asks } }
    set { state.withLock { $0.asks = newValue } }
  }

  func attach(_ participant: CallParticipant) { state.withLock { $0.participant = participant } }

  // MARK: The show

  /// Begins a show; with an empty token where none is needed.
  func join(_ channel: String, token: String, _ participant: CallParticipant) throws(CommandError) {
    let options = ChannelMediaOptions(
      publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster)
    let code = participant.engine.joinChannel(
      token: token.isEmpty ? nil : token, channelID: channel, uid: participant.uid, options: options)
    guard code == 0 else { throw .usage("--show: '\(channel)' cannot be joined (\(code)).") }
    state.withLock { $0.isInShow = true }
    Terminal.event("show \(channel): on")
  }

  /// Publishes in the show, or stays there unseen; before the call's channel is joined, and after it has been left.
  private func publishInShow(_ publishes: Bool) {
    let participant = state.withLock { state in
      guard let isInShow = state.isInShow, isInShow != publishes else { return CallParticipant?.none }
      state.isInShow = publishes
      return state.participant
    }
    guard let participant else { return }
    participant.engine.updateChannelMediaOptions(
      ChannelMediaOptions(publishCameraTrack: publishes, publishMicrophoneTrack: publishes))
    Terminal.event(publishes ? "show: on again" : "show: away")
  }

  // MARK: Calls

  /// A key of the terminal.
  func press(_ key: Character) {
    let (participant, peer) = state.withLock { ($0.participant, $0.peer) }
    guard let calls = participant?.calls else { return }
    switch (key, peer) {
    case ("a", let peer?) where calls.state == .calling: accept(peer, calls)
    case ("r", let peer?) where calls.state == .calling: calls.reject(remoteUserID: peer)
    case ("q", let peer?): calls.hangup(remoteUserID: peer)
    case ("q", nil): interruption.end()
    default: break
    }
  }

  /// Takes a report.
  func take(_ report: CallObserver.Report) {
    if report.isEncryptionRefusal { state.withLock { $0.record.unencryptedCount += 1 } }
    if let refusal = report.tokenRefusal { giveUp(refusal) }
    switch report {
    case .state(.calling, .remoteVideoCall, let details), .state(.calling, .remoteAudioCall, let details):
      publishInShow(false)
      if let caller = details.sender { ring(caller) }
    case .state(.connecting, _, _): state.withLock { $0.isConnecting = true }
    case .connected:
      state.withLock { state in
        state.isConnecting = false
        state.record.hasConnected = true
      }
    case .state(.prepared, let reason, let details):
      publishInShow(true)
      end(reason, details)
    case .state(.idle, _, _): publishInShow(true)
    default: break
    }
  }

  private func ring(_ caller: UInt) {
    let (participant, isTaken) = state.withLock { state in
      // The last call has ended, and this one has come before the end of everything.
      guard state.record.callCount < limit else { return (state.participant, false) }
      state.peer = caller
      state.record.callCount += 1
      return (state.participant, true)
    }
    if rejects || !isTaken {
      participant?.calls.reject(remoteUserID: caller)
    } else if asks {
      Terminal.event("user \(caller) calls: a accepts, r rejects")
    } else if let calls = participant?.calls {
      accept(caller, calls)
    }
  }

  /// Accepts; rejects if that cannot be sent, so that nobody waits for what cannot be.
  private func accept(_ caller: UInt, _ calls: CallAPI) {
    let number = state.withLock { $0.record.callCount }
    calls.accept(remoteUserID: caller) { [weak self, weak calls] error in
      guard let self, let calls, error != nil else { return }
      // Not when that call is over, or stands after all.
      let isWaiting = state.withLock { $0.peer == caller && $0.record.callCount == number }
      if isWaiting, calls.state == .connecting { calls.reject(remoteUserID: caller) }
    }
  }

  /// The call of the moment cannot come about, since this user may not be in its room: its caller is told.
  private func giveUp(_ refusal: String) {
    let (participant, peer) = state.withLock { state in
      state.record.tokenRefusal = refusal
      return (state.participant, state.peer)
    }
    guard let calls = participant?.calls, let peer else { return }
    let reason = "no valid token for the room"
    if calls.state == .calling {
      calls.reject(remoteUserID: peer, reason: reason)
    } else {
      calls.hangup(remoteUserID: peer, reason: reason)
    }
  }

  private func end(_ reason: CallStateReason, _ details: CallDetails) {
    let isDone = state.withLock { state in
      guard state.peer != nil else { return false }
      state.peer = nil
      if state.isConnecting, reason != .localHangup { state.record.unconnectedCount += 1 }
      state.isConnecting = false
      if reason == .remoteHangup, details.explanation == CallMessage.encryptionReason {
        state.record.unencryptedCount += 1
      }
      return state.record.callCount >= limit
    }
    if isDone { interruption.end() }
  }
}
