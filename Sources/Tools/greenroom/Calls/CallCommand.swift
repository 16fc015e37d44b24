import CallAPI
import ControlWire

/// `greenroom call`: calls somebody.
enum CallCommand: Command {
  static let specification = CommandSpecification(
    name: "call", summary: "call a user for a 1v1 conversation",
    details: """
      Logs in, calls, and talks until either side hangs up, SIGINT, SIGTERM or --seconds. Exits with 3 if the call was rejected
      or the other side is busy, with 4 if it was not answered in time, with 2 if nothing was seen or heard, with 1 if it ended
      by itself before it was connected, if the token for the room was refused, or if the server has ended the login. On a
      terminal the key q hangs up. --audio without a source, or --audio-only, makes an audio call.
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
    let interruption = Interruption()
    let call = OutgoingCall(interruption, seconds: seconds)
    let run = try CallRun(options, interruption) { call.take($0) }
    defer { run.participant.close() }
    let keys = KeyInput { if $0 == "q" { interruption.end() } }
    defer { withExtendedLifetime(keys) {} }
    try run.begin(room: room)
    try begin(call, with: peer, isAudioCall ? .audio : .video, run)
    interruption.wait(seconds: nil)
    let wasEndedHere = call.record.ending == nil
    run.endCall(with: peer)
    call.waitForEnd()
    let received = try run.summarize()
    try run.checkLogin()
    return try judge(call.record, peer, wasEndedHere: wasEndedHere, received: received, run.encryption)
  }

  private static func begin(
    _ call: OutgoingCall, with peer: UInt, _ type: CallType, _ run: CallRun
  ) throws(CommandError) {
    do throws(CommandError) {
      try run.participant.check("User \(peer) cannot be called") { completion in
        run.participant.calls.call(remoteUserID: peer, callType: type, completion: completion)
      }
    } catch {
      try run.checkLogin()
      throw error
    }
    Terminal.event("calling user \(peer); the call is \(call.record.callID ?? "")")
  }

  /// What has become of the call.
  private static func judge(
    _ call: OutgoingCall.Record, _ peer: UInt, wasEndedHere: Bool, received: Bool, _ encryption: CallEncryptionPolicy
  ) throws(CommandError) -> ExitStatus {
    if let refusal = call.tokenRefusal { throw .failure(refusal) }
    if call.hasConnected { return received ? .success : .nothingReceived }
    guard !wasEndedHere, let ending = call.ending else { return .success }
    let why = ending.explanation.map { ": \($0)" } ?? ""
    switch ending.reason {
    case .remoteCallBusy:
      Terminal.error("User \(peer) is busy" + (ending.explanation == CallMessage.busyReason ? "." : "\(why)."))
      return .rejected
    case .remoteRejected:
      let isPlainCall = encryption == .off && ending.explanation == CallMessage.encryptionReason
      Terminal.error("User \(peer) has rejected the call\(why)." + (isPlainCall ? " Call with --e2e." : ""))
      return .rejected
    case .callingTimeout where !call.isAccepted, .remoteCallingTimeout where !call.isAccepted:
      Terminal.error("User \(peer) did not answer in time.")
      return .noAnswer
    case .callingTimeout, .remoteCallingTimeout:
      throw .failure("User \(peer) accepted, but the call was not connected in time.")
    default: throw .failure("The call has ended before it was connected (\(ending.reason))\(why).")
    }
  }
}
