@testable import CallAPI

/// Holds every step of one machine against the rules, without knowing how the machine works; collects what breaks them.
struct CallWatch {
  let uid: UInt
  let found: RuleViolations
  var pendingCompletions: Set<Int> = []
  var isTimerRunning = false
  /// What the local user has agreed to in the present call, by calling or accepting.
  var agreed: CallType?
  /// Whether the other side's first picture or sound has come in the present channel.
  var hasFirstFrame = false

  private var state = CallState.idle
  private var joined: String?
  /// How the channel is encrypted, as far as effects have said, and what the user wants.
  private var encryption = CallMediaEncryption.none
  private var policy = CallEncryptionPolicy.off
  private var isRevealed = false
  private var isConnectedTold = false

  init(uid: UInt, found: RuleViolations = RuleViolations()) {
    self.uid = uid
    self.found = found
  }

  var violations: [String] { found.texts }

  private static let legal: [CallState: Set<CallState>] = [
    .idle: [.idle, .prepared], .prepared: [.prepared, .calling, .idle],
    // Calling again: both called each other, and this side is called now.
    .calling: [.calling, .connecting, .prepared], .connecting: [.connected, .prepared, .idle],
    .connected: [.prepared, .idle], .failed: [],
  ]

  private func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
    found.expect(condition, "user \(uid), \(state): \(text())")
  }

  mutating func check(_ effects: [CallEffect], after machine: CallStateMachine) {
    policy = machine.configuration?.endToEndEncryption ?? .off
    for effect in effects { check(effect) }
    expect(joined == nil || encryption == machine.session.encryption, "the channel is not encrypted as the call is")
    expect(policy != .required || machine.state != .connected || hasKey, "connected in the clear")
    let isInCall = [.calling, .connecting, .connected].contains(machine.state)
    expect(state == machine.state, "\(machine.state) was not told")
    expect(joined == machine.room, "in channel \(joined ?? "-"), not \(machine.room ?? "-")")
    expect(joined == nil || isInCall, "in a channel without a call")
    expect([.calling, .prepared, .idle].contains(machine.state) || joined != nil, "in no channel")
    let watchesAbsence = machine.state == .connected && machine.session.isAbsenceTimed
    expect(
      !isTimerRunning || machine.state == .calling || machine.state == .connecting || watchesAbsence, "the timer runs")
    expect(machine.callID.isEmpty != isInCall, "call id \(machine.callID)")
    expect(!isRevealed || machine.state == .connected, "revealed")
    expect(
      hasFirstFrame || machine.state != .connected || machine.configuration?.isFirstFrameWaitingDisabled == true,
      "connected without a picture or sound")
    expect(isRevealed || machine.state != .connected, "not revealed")
    expect(isConnectedTold == (machine.state == .connected), "connected and disconnected do not match")
    expect(agreed != nil || ![.connecting, .connected].contains(machine.state), "the user has not agreed")
    if !isInCall { agreed = nil }
  }

  private mutating func check(_ effect: CallEffect) {
    switch effect {
    case .send(let message, let peer, _, _):
      // Rejecting and hanging up go wherever the user says.
      let isFree = message.action == .reject || message.action == .hangup
      expect(message.fromUserID == uid && (isFree || peer != uid && peer != 0), "\(message.action) to \(peer)")
    case .join(let room, _, let isVideo, _, let publishes):
      expect(joined == nil, "joins \(room) while in \(joined ?? "")")
      joined = room
      if publishes { checkPublishing(isVideo) }
    case .publish(let room, let isVideo):
      expect(joined == room, "publishes in \(room)")
      checkPublishing(isVideo)
    case .leave(let room):
      expect(joined == room, "leaves \(room)")
      joined = nil
      encryption = .none
      isRevealed = false
      hasFirstFrame = false
    case .reveal(let room, _):
      expect(joined == room && !isRevealed, "reveals \(room)")
      isRevealed = true
    case .renewToken(let room, _): expect(joined == room, "token of \(room)")
    case .encrypt(_, let new): encryption = new
    case .startTimer: isTimerRunning = true
    case .stopTimer: isTimerRunning = false
    case .complete(let id, _):
      let isPending = pendingCompletions.remove(id) != nil
      expect(isPending, "completion \(id) again")
    case .report: break
    case .notify(let notification): check(notification)
    }
  }

  private var hasKey: Bool { if case .key = encryption { true } else { false } }

  private mutating func checkPublishing(_ isVideo: Bool) {
    expect(encryption != .awaited && (policy != .required || hasKey), "publishes in the clear")
    expect(isVideo ? agreed == .video : agreed != nil, "publishes \(isVideo ? "video" : "audio") unasked")
  }

  private mutating func check(_ notification: CallNotification) {
    switch notification {
    case .state(let new, let reason, _, _):
      expect(Self.legal[state]?.contains(new) ?? false, "to \(new) for \(reason)")
      if new == .prepared { agreed = nil }
      state = new
    case .connected:
      expect(!isConnectedTold && state == .connecting, "connected told")
      isConnectedTold = true
    case .disconnected(_, _, _, let duration):
      expect(isConnectedTold && state == .connected && duration >= 0, "disconnected told")
      isConnectedTold = false
    case .event, .error, .warning: break
    }
  }
}
