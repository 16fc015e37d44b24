import MediaBase

@testable import CallAPI

/// What has to hold between users, at every moment: who is with whom, where, and for how long. Each user has the application
/// of the story, which publishes in a show whenever there is no call, and lets calls end when the other side is gone.
struct CallPairWatch {
  private struct User {
    /// Since when the user is in a call whose other side is not.
    var goneSince: MediaInstant?
    var callID = ""
    /// How long that may be.
    var patience = MediaDuration.zero
    /// Calls of which connected was told, and whether disconnected was.
    var connectedCalls: [String: Bool] = [:]
    var publishesInShow = true
  }

  private let found = RuleViolations()
  private var users: [User]

  init(users: Int) { self.users = [User](repeating: User(), count: users) }

  var violations: [String] { found.texts }

  private func expect(_ condition: Bool, _ text: @autoclosure () -> String) { found.expect(condition, text()) }

  /// How long a user's calls may outlast the other side: its own limits, and what the network takes.
  mutating func setPatience(_ patience: MediaDuration, of uid: UInt) { users[Int(uid) - 1].patience = patience }

  /// A user is cut off for so long, and hears of the other side so much later.
  mutating func extendPatience(by delay: MediaDuration, of uid: UInt) {
    users[Int(uid) - 1].patience = users[Int(uid) - 1].patience + delay
  }

  /// The program of a user is killed and started again.
  mutating func restart(_ uid: UInt) {
    let index = Int(uid) - 1
    users[index].connectedCalls = users[index].connectedCalls.mapValues { _ in true }
    users[index].goneSince = nil
    users[index].publishesInShow = true
  }

  /// What a user's application does when it is told something.
  mutating func take(_ notification: CallNotification, of uid: UInt, callID: String) {
    let index = Int(uid) - 1
    switch notification {
    case .state(let state, _, _, _):
      switch state {
      case .calling: users[index].publishesInShow = false
      case .prepared, .idle, .failed: users[index].publishesInShow = true
      case .connecting, .connected: break
      }
    case .connected:
      expect(users[index].connectedCalls[callID] == nil, "user \(uid) is told connected again of \(callID)")
      users[index].connectedCalls[callID] = false
    case .disconnected:
      guard let (call, _) = users[index].connectedCalls.first(where: { !$0.value }) else {
        return found.add("user \(uid) is told disconnected without connected")
      }
      users[index].connectedCalls[call] = true
    case .event, .error, .warning: break
    }
  }

  /// Looks at everybody after a step.
  mutating func check(_ parties: [CallBench.Party], _ members: [ChannelMember], now: MediaInstant) {
    for index in parties.indices {
      let machine = parties[index].machine
      let isInCall = machine.state != .prepared && machine.state != .idle
      expect(users[index].publishesInShow != isInCall, "user \(index + 1) and its show, while \(machine.state)")
      checkGone(index, parties, now: now)
      guard machine.state == .connected, let other = other(of: index, parties), other > index,
        parties[other].machine.state == .connected
      else { continue }
      checkKeys(machine, parties[other].machine)
      // Who does not wait for a frame may be connected before the other side has heard of it; that it ends is checked above.
      let isWaiting = [machine, parties[other].machine].allSatisfy {
        $0.configuration?.isFirstFrameWaitingDisabled == false
      }
      guard isWaiting else { continue }
      let (own, others) = (machine.session, parties[other].machine.session)
      expect(own.room == others.room, "\(index + 1) is connected in \(own.room ?? "-"), \(other + 1) elsewhere")
      expect(own.callID == others.callID, "\(index + 1) and \(other + 1) are connected in different calls")
    }
    for member in members {
      expect(parties[Int(member.uid) - 1].machine.room == member.room, "user \(member.uid) is left in \(member.room)")
    }
  }

  /// Who is in the same call has the same key, or none, and can see that.
  private func checkKeys(_ one: CallStateMachine, _ other: CallStateMachine) {
    guard one.callID == other.callID, one.session.room == other.session.room else { return }
    expect(
      one.session.encryption == other.session.encryption && one.authenticationText == other.authenticationText,
      "\(one.userID) and \(other.userID) are connected with different keys")
  }

  /// The index of the other side, if that is with this user too.
  private func other(of index: Int, _ parties: [CallBench.Party]) -> Int? {
    guard let peer = parties[index].machine.session.peer, peer > 0, peer <= parties.count else { return nil }
    return parties[Int(peer) - 1].machine.session.peer == UInt(index + 1) ? Int(peer) - 1 : nil
  }

  private mutating func checkGone(_ index: Int, _ parties: [CallBench.Party], now: MediaInstant) {
    let session = parties[index].machine.session
    if let since = users[index].goneSince, now - since > users[index].patience {
      found.add(
        "user \(index + 1) was in \(users[index].callID) for \((now - since).milliseconds) ms after the other had gone")
      users[index].goneSince = nil
    }
    let isWithOther = other(of: index, parties).map { parties[$0].machine.session.callID == session.callID } ?? false
    guard session.peer != nil, !isWithOther else { return users[index].goneSince = nil }
    if users[index].goneSince == nil || users[index].callID != session.callID { users[index].goneSince = now }
    users[index].callID = session.callID
  }

  /// Nobody may be owed the end of a call.
  func checkEnd() {
    for (index, user) in users.enumerated() {
      expect(user.connectedCalls.values.allSatisfy { $0 }, "user \(index + 1) is not told the end of a call")
    }
  }
}
