import Foundation
import LinuxIO
import MediaBase
import Synchronization

/// The processes of the story: a channel server and four participants.
final class DemoCast: Sendable {
  let inbox = DemoInbox()
  private let server: DemoProcess
  private let actors: [DemoRole: DemoProcess]
  private let count = Mutex(0)

  /// Starts all of them.
  ///
  /// - Parameter onReport: called with every report, on threads of the processes.
  init(_ media: DemoMedia, onReport: @escaping @Sendable (DemoInbox.Entry) -> Void) throws(CommandError) {
    let address = OneTime<String>()
    // Like the participants it ends with this process, however that ends.
    server = try DemoProcess(["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--until-eof"]) {
      if let url = $0.split(whereSeparator: { " ,".contains($0) }).first(where: { $0.hasPrefix("ws://") }) {
        address.set(String(url))
      }
    }
    guard let url = address.wait(seconds: 10) else {
      server.kill()
      throw .failure("The channel server did not start.")
    }
    var actors: [DemoRole: DemoProcess] = [:]
    let inbox = inbox
    do throws(CommandError) {
      for role in DemoRole.allCases {
        let source = media.source(of: role)
        actors[role] = try DemoProcess(
          ["actor", "--server", url, "--uid", "\(role.uid)", "--video", source.video, "--audio", source.audio]
        ) { line in
          guard let report = try? JSONDecoder().decode(ActorReport.self, from: Data(line.utf8)) else { return }
          inbox.put(role, report)
          onReport(DemoInbox.Entry(role: role, report: report))
        }
      }
    } catch {
      ([server] + actors.values).forEach { $0.kill() }
      throw error
    }
    self.actors = actors
    do throws(CommandError) {
      for role in DemoRole.allCases {
        try wait(for: role, "to start", seconds: 15) { $0.kind == .ready }
      }
    } catch {
      killAll()
      throw error
    }
  }

  /// Has a participant do something and waits until it is done.
  @discardableResult
  func ask(
    _ role: DemoRole, _ action: ActorInstruction.Action, _ fill: (inout ActorInstruction) -> Void = { _ in }
  ) throws(CommandError) -> ActorReport {
    var instruction = ActorInstruction(action: action)
    fill(&instruction)
    instruction.id = count.withLock { count in
      count += 1
      return count
    }
    let start = inbox.end
    if let line = try? JSONEncoder().encode(instruction) { actors[role]?.send(line) }
    let done = try wait(for: role, "to \(action)", since: start, seconds: 15) {
      $0.kind == .done && $0.id == instruction.id
    }
    if let problem = done.text { throw .failure("The \(role.name) failed to \(action): \(problem)") }
    return done
  }

  /// Waits for a participant's report.
  @discardableResult
  func wait(
    for role: DemoRole, _ what: String, since start: Int = 0, seconds: Double = 10,
    where matches: (ActorReport) -> Bool
  ) throws(CommandError) -> ActorReport {
    let found = inbox.first(since: start, seconds: seconds) { $0.role == role && matches($0.report) }
    guard let found else { throw .failure("The story stopped: waited \(seconds) s for the \(role.name) \(what).") }
    return found.report
  }

  /// Waits for the participants' processes to end and ends the server: the exit status of each, by name.
  func endAll() -> [String: Int32] {
    var statuses: [String: Int32] = [:]
    for (role, actor) in actors { statuses[role.name] = actor.exitStatus(within: 15) ?? -1 }
    server.terminate()
    statuses["server"] = server.exitStatus(within: 5) ?? -1
    killAll()
    return statuses
  }

  /// Ends everything at once.
  func killAll() {
    for actor in actors.values { actor.kill() }
    server.kill()
  }
}
