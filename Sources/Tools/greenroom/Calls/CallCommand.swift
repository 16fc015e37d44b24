import CallAPI
import ControlWire

/// `greenroom call`: calls somebody.
enum CallCommand: Command {
  static let specification = CommandSpecification(
    name: "call", summary: "call a user for a 1v1 conversation",
    details: """
      Logs in, calls, and talks until either side hangs up, SIGINT, SIGTERM or --seconds. Exits with 3 if the call was rejected
      or the other side is busy, with 4 if it was not answered in time, with 1 if it ended by itself before it was connected,
      with 2 if nothing was seen or heard. On a terminal the key q hangs up. --audio without a source, or --audio-only, makes an audio call.
      """,
    options: CallSettings.options.map { option in
      var option = option
      if option.name == "--audio" { option.isValueOptional = true }
      return option
    } + [
      .required("--peer", "M", "whom to call"),
      .optional("--room", "NAME", "the channel of the call (default: a fresh one)"),
      .flag("--audio-only", "call without pictures"),
      .optional("--seconds", "S", "hang up so long after the call has connected"),
    ], positional: "--peer")

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    guard let peer = try options.uid("--peer") else { throw .usage("--peer needs a value.") }
    guard try CallSettings.uid(options) != peer else { throw .usage("--peer and --uid are the same user.") }
    let room = options.string("--room") ?? ""
    guard room.isEmpty || ControlProtocol.isValidChannelName(room) else {
      throw .usage("--room: " + ClientSession.badChannelName(room))
    }
    let seconds = try options.seconds("--seconds")
    let isAudioCall = options.has("--audio-only") || options.isBare("--audio")
    let connected = OneTime<Bool>()
    let end = OneTime<CallStateReason>()
    let reports = CallReports(
      onConnected: { connected.set(true) }, onEnded: { end.set($0) })
    let run = try CallRun(options) { reports.take($0) }
    defer { run.participant.close() }
    let interruption = run.interruption
    reports.onConnected { if let seconds { interruption.end(after: seconds) } }
    reports.onEnded { interruption.end() }
    let keys = KeyInput { if $0 == "q" { interruption.end() } }
    defer { withExtendedLifetime(keys) {} }
    try run.begin(room: room)
    reports.begin()
    try run.participant.check("User \(peer) cannot be called") { completion in
      run.participant.calls.call(
        remoteUserID: peer, callType: isAudioCall ? .audio : .video, completion: completion)
    }
    Terminal.event("calling user \(peer); the call is \(run.participant.calls.callID)")
    interruption.wait(seconds: nil)
    let endedByItself = end.isSet
    run.endCall(with: peer)
    let reason = end.wait(seconds: 1)
    let received = try run.summarize()
    switch reason {
    case .remoteRejected, .remoteCallBusy:
      Terminal.error("User \(peer) has rejected the call or is busy.")
      return .rejected
    case .callingTimeout, .remoteCallingTimeout:
      Terminal.error("User \(peer) did not answer in time.")
      return .noAnswer
    default: break
    }
    if connected.isSet { return received ? .success : .nothingReceived }
    guard endedByItself, let reason else { return .success }
    throw .failure("The call has ended before it was connected (\(reason)).")
  }
}
