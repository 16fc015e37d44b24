import CallAPI
import Foundation
import Synchronization

/// `greenroom answer`: waits to be called.
enum AnswerCommand: Command {
  static let specification = CommandSpecification(
    name: "answer", summary: "wait for calls and answer them",
    details: """
      Logs in and accepts calls, one after another, until --calls of them have ended, SIGINT, SIGTERM or --seconds. Exits with 4
      if nobody called, with 2 if calls connected and nothing was seen or heard.
      """,
    options: CallSettings.options + [
      .optional("--calls", "N", "end after so many calls", default: "1"),
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
    try run.participant.logIn()
    try run.participant.prepare(room: UUID().uuidString.lowercased())
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

  func attach(_ run: CallRun) { state.withLock { $0.run = run } }

  func take(_ report: CallObserver.Report) {
    switch report {
    case .state(.calling, .remoteVideoCall, let peer?), .state(.calling, .remoteAudioCall, let peer?):
      let run = state.withLock { state in
        state.peer = peer
        state.callCount += 1
        return state.run
      }
      if rejects {
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
