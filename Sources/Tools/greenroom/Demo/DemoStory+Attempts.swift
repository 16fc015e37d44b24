import CallAPI

/// Calls that come to nothing, while the show goes on.
extension DemoStory {
  private static let calling: (caller: [UInt], host: [UInt]) = (
    [CallState.calling.rawValue, CallStateReason.localVideoCall.rawValue],
    [CallState.calling.rawValue, CallStateReason.remoteVideoCall.rawValue]
  )

  mutating func attempts() throws(CommandError) {
    try phase(
      "attempts", "Three calls that come to nothing",
      "The host rejects one, the caller cancels one, one is not answered in time. The show goes on meanwhile.",
      planned: 4
    ) { (story) throws(CommandError) in
      try story.attempt("rejected", .remoteRejected, .localRejected) { (story) throws(CommandError) in
        story.hold(0.5)
        try story.cast.ask(.host, .reject) { $0.peer = DemoRole.caller.uid }
      }
      try story.attempt("cancelled", .localCancelled, .remoteCancelled) { (story) throws(CommandError) in
        story.hold(0.5)
        try story.cast.ask(.caller, .cancel) { $0.peer = DemoRole.host.uid }
      }
      try story.attempt("timed out", .callingTimeout, .remoteCallingTimeout, timeoutMilliseconds: 1_500) { _ in }
      story.hold(0.5)
    }
  }

  private mutating func attempt(
    _ title: String, _ callerReason: CallStateReason, _ hostReason: CallStateReason, timeoutMilliseconds: Int = 15_000,
    _ body: (DemoStory) throws(CommandError) -> Void
  ) throws(CommandError) {
    let room = try prepare(.caller, timeoutMilliseconds: timeoutMilliseconds)
    let start = cast.inbox.end
    _ = try ring()
    try body(self)
    for role in [DemoRole.host, .caller] { try awaitEnd(role, since: start) }
    hold(0.2)
    let prepared = CallState.prepared.rawValue
    record.attempts.append(
      DemoRecord.Attempt(
        title: title, room: room, callerStates: [Self.calling.caller, [prepared, callerReason.rawValue]],
        hostStates: [Self.calling.host, [prepared, hostReason.rawValue]], reports: start..<cast.inbox.end))
  }
}
