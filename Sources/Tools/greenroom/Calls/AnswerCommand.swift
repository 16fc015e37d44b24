import CallAPI
import MediaEngine

/// `greenroom answer`: waits to be called.
enum AnswerCommand: Command {
  static let specification = CommandSpecification(
    name: "answer", summary: "wait for calls and answer them",
    details: """
      Logs in and takes calls, one after another, until --calls of them have ended, SIGINT, SIGTERM or --seconds. On a
      terminal the keys a and r accept and reject, q hangs up, or ends the wait for calls; without a terminal, and with
      --auto, calls are accepted at once. Exits with 1 if the server has ended the login; with 2 if calls connected and nothing
      was seen or heard. If no call connected: with 1 if the token for a room was refused, with 3 if a call was refused, here
      or there, because it could not be encrypted, with 4 if nobody called.
      """,
    options: CallSettings.options + [
      .optional("--calls", "N", "end after so many calls", default: "1"),
      .flag("--auto", "accept every call at once"),
      .optional("--show", "CHANNEL", "be the host of a live channel, and away from it during calls"),
      .flag("--reject", "reject every call instead"),
      .optional("--seconds", "S", "end after this time"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    guard let limit = try options.integer("--calls", in: 1...1_000_000) else { throw .usage("--calls needs a value.") }
    let seconds = try options.seconds("--seconds")
    let interruption = Interruption()
    let desk = AnsweringDesk(interruption, limit: limit, rejects: options.has("--reject"))
    let run = try CallRun(options, interruption) { desk.take($0) }
    defer { run.participant.close() }
    desk.attach(run.participant)
    let keys = KeyInput { desk.press($0) }
    defer { withExtendedLifetime(keys) {} }
    desk.asks = keys != nil && !options.has("--auto")
    try run.begin()
    if let channel = options.string("--show") {
      try desk.join(channel, token: try run.token(for: channel), run.participant)
    }
    Terminal.event("waiting for calls as \(run.participant.uid)")
    interruption.wait(seconds: seconds)
    if let peer = desk.peer { run.endCall(with: peer) }
    let received = try run.summarize()
    try run.checkLogin()
    return try judge(desk.record, received: received)
  }

  /// What has become of the calls.
  private static func judge(_ calls: AnsweringDesk.Record, received: Bool) throws(CommandError) -> ExitStatus {
    if calls.hasConnected { return received ? .success : .nothingReceived }
    if let refusal = calls.tokenRefusal { throw .failure(refusal) }
    if calls.unencryptedCount > 0 {
      let what =
        calls.unencryptedCount == 1
        ? "A call was refused because it" : "\(calls.unencryptedCount) calls were refused because they"
      Terminal.error(what + " could not be encrypted between the ends.")
      return .rejected
    }
    if calls.unconnectedCount > 0 {
      throw .failure(
        calls.unconnectedCount == 1
          ? "A call was accepted, but ended before it was connected."
          : "\(calls.unconnectedCount) calls were accepted, but ended before they were connected.")
    }
    guard calls.callCount > 0 else {
      Terminal.error("Nobody called.")
      return .noAnswer
    }
    return .success
  }
}
