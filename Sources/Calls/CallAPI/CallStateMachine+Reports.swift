import MediaEngine

/// What a reporter gets; nothing is made of it without one.
extension CallStateMachine {
  private mutating func report(
    _ kind: CallReport.Kind, _ name: String, _ milliseconds: Int64, _ details: [String: JSONValue], _ now: CallInstant
  ) {
    effects.append(
      .report(
        CallReport(
          kind: kind, name: name, milliseconds: milliseconds, timestamp: now.wallMilliseconds, details: details)))
  }

  /// A method was called.
  mutating func reportCall(
    of method: String, _ parameters: @autoclosure () -> [String: JSONValue] = [:], now: CallInstant
  ) {
    guard isReporting else { return }
    report(.api, method, 0, parameters(), now)
  }

  mutating func reportState(_ new: CallState, _ reason: CallStateReason, text: String, now: CallInstant) {
    guard isReporting else { return }
    let members = details([
      "state": JSONValue(new.rawValue), "stateReason": JSONValue(reason.rawValue), "eventReason": .string(text),
    ])
    report(.custom, "stateChange", 0, members, now)
  }

  mutating func reportEvent(_ event: CallEvent, text: String?, now: CallInstant) {
    guard isReporting else { return }
    var members = details(["event": JSONValue(event.rawValue), "state": JSONValue(state.rawValue)])
    members["reasonString"] = text.map { .string($0) }
    report(.custom, "eventChange", 0, members, now)
  }

  private func details(_ members: [String: JSONValue]) -> [String: JSONValue] {
    var members = members
    members["userId"] = JSONValue(userID)
    members["callId"] = .string(session.callID)
    members["roomId"] = session.room.map { .string($0) }
    return members
  }

  /// A step of the call has been reached; the time since its beginning is kept.
  mutating func noteCost(_ name: String, _ now: CallInstant) {
    guard let startTime = session.startTime else { return }
    let milliseconds = (now.monotonic - startTime).milliseconds
    session.costs[name] = .integer(milliseconds)
    reportCost(name, milliseconds, now)
  }

  /// What the first frame took, now that the call is connected: as a person feels it, and since the channel was joined.
  mutating func reportFirstFrame(_ now: CallInstant) {
    for (name, begin) in [
      ("firstFramePerceived", session.connectingTime), ("firstFrameActual", session.joinTime),
    ] {
      guard let begin else { continue }
      reportCost(name, (now.monotonic - begin).milliseconds, now)
    }
  }

  private mutating func reportCost(_ name: String, _ milliseconds: Int64, _ now: CallInstant) {
    guard isReporting else { return }
    let members: [String: JSONValue] = [
      "channelName": .string(session.room ?? ""), "callId": .string(session.callID), "userId": JSONValue(userID),
    ]
    report(.cost, name, milliseconds, members, now)
  }
}
