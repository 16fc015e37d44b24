import CallAPI
import MediaEngine
import Synchronization

/// `greenroom answer`: waits to be called.
enum AnswerCommand: Command {
  static let specification = CommandSpecification(
    name: "answer", summary: "wait for calls and answer them",
    details: """
      Logs in and takes calls, one after another, until --calls of them have ended, SIGINT, SIGTERM or --seconds. On a
      terminal the keys a and r accept and reject, q hangs up, or ends the wait for calls; without a terminal, and with
      --auto, calls are accepted at once. Exits with 4 if nobody called, with 2 if calls connected and nothing was seen or
      heard.
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
    let desk = AnsweringDesk(limit: limit, rejects: options.has("--reject"))
    let run = try CallRun(options) { desk.take($0) }
    defer { run.participant.close() }
    desk.attach(run)
    let keys = KeyInput { desk.press($0) }
    defer { withExtendedLifetime(keys) {} }
    desk.asks = keys != nil && !options.has("--auto")
    try run.begin()
    if let channel = options.string("--show") { try desk.join(channel, run) }
    Terminal.event("waiting for calls as \(run.participant.uid)")
    run.interruption.wait(seconds: seconds)
    if let peer = desk.peer { run.endCall(with: peer) }
    let received = try run.summarize()
    if desk.callCount == 0 {
      Terminal.error("Nobody called.")
      return .noAnswer
    }
    return desk.hasConnected && !received ? .nothingReceived : .success
  }
}

/// Accepts or rejects what rings, and counts.
private final class AnsweringDesk: Sendable {
  private struct State {
    weak var run: CallRun?
    var peer: UInt?
    var callCount = 0
    var hasConnected = false
    var asks = false
    /// Whether there is a show, and whether the host is in it now.
    var isInShow: Bool?
  }

  private let state = Mutex(State())
  private let limit: Int
  private let rejects: Bool

  init(limit: Int, rejects: Bool) {
    self.limit = limit
    self.rejects = rejects
  }

  /// Who is being talked with.
  var peer: UInt? { state.withLock { $0.peer } }
  /// Calls that have come in.
  var callCount: Int { state.withLock { $0.callCount } }
  /// Whether any call has connected.
  var hasConnected: Bool { state.withLock { $0.hasConnected } }

  /// Whether a person says what becomes of a call.
  var asks: Bool {
    get { state.withLock { $0.asks } }
    set { state.withLock { $0.asks = newValue } }
  }

  /// Begins a show.
  func join(_ channel: String, _ run: CallRun) throws(CommandError) {
    let options = ChannelMediaOptions(
      publishCameraTrack: true, publishMicrophoneTrack: true, clientRoleType: .broadcaster)
    let participant = run.participant
    let code = participant.engine.joinChannel(
      token: nil, channelID: channel, uid: participant.uid, options: options)
    guard code == 0 else { throw .usage("--show: '\(channel)' cannot be joined (\(code)).") }
    state.withLock { $0.isInShow = true }
    Terminal.event("show \(channel): on")
  }

  /// Publishes in the show, or stays there unseen; before the call's channel is joined, and after it has been left.
  private func publishInShow(_ publishes: Bool) {
    let run = state.withLock { state in
      guard let isInShow = state.isInShow, isInShow != publishes else { return CallRun?.none }
      state.isInShow = publishes
      return state.run
    }
    guard let run else { return }
    run.participant.engine.updateChannelMediaOptions(
      ChannelMediaOptions(publishCameraTrack: publishes, publishMicrophoneTrack: publishes))
    Terminal.event(publishes ? "show: on again" : "show: away")
  }

  /// A key of the terminal.
  func press(_ key: Character) {
    let (run, peer) = state.withLock { ($0.run, $0.peer) }
    guard let run else { return }
    switch (key, peer) {
    case ("a", let peer?) where run.participant.calls.state == .calling:
      run.participant.calls.accept(remoteUserID: peer)
    case ("r", let peer?) where run.participant.calls.state == .calling:
      run.participant.calls.reject(remoteUserID: peer)
    case ("q", let peer?): run.participant.calls.hangup(remoteUserID: peer)
    case ("q", nil): run.interruption.end()
    default: break
    }
  }

  func attach(_ run: CallRun) { state.withLock { $0.run = run } }

  func take(_ report: CallObserver.Report) {
    if case .state(let state, _, _) = report {
      if state == .calling { publishInShow(false) }
      if state == .prepared || state == .idle { publishInShow(true) }
    }
    switch report {
    case .state(.calling, .remoteVideoCall, let peer?), .state(.calling, .remoteAudioCall, let peer?):
      let run = state.withLock { state in
        state.peer = peer
        state.callCount += 1
        return state.run
      }
      if asks, !rejects {
        Terminal.event("user \(peer) calls: a accepts, r rejects")
      } else if rejects {
        run?.participant.calls.reject(remoteUserID: peer)
      } else {
        run?.participant.calls.accept(remoteUserID: peer)
      }
    case .connected: state.withLock { $0.hasConnected = true }
    case .state(.prepared, _, _):
      let (isDone, run) = state.withLock { state in
        defer { state.peer = nil }
        return (state.peer != nil && state.callCount >= limit, state.run)
      }
      if isDone { run?.interruption.end() }
    default: break
    }
  }
}
