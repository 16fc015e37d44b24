import Foundation
import LinuxIO
import MediaBase
import Signaling

/// `greenroom actor`: one participant of the demo, led by instructions on standard input.
enum ActorCommand: Command {
  static let specification = CommandSpecification(
    name: "actor", summary: "one participant of the demo",
    details: "Does what JSON lines on standard input ask for and reports on standard output. Used by `greenroom demo`.",
    options: [SharedOptions.server, .required("--uid", "N", "the local user's number")] + SharedOptions.media,
    isInternal: true)

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let output = ActorOutput()
    let before = baseline(server: try options.server(), uid: try CallSettings.uid(options))
    try act(options, output)
    let after = settle(to: before)
    var report = ActorReport(.freed)
    report.usageBefore = .init(before)
    report.usageAfter = .init(after)
    output.send(report)
    return .success
  }

  private static func act(_ options: CommandOptions, _ output: ActorOutput) throws(CommandError) {
    let stage = try ActorStage(
      uid: CallSettings.uid(options), configuration: CallSettings.engine(options), output: output)
    defer { stage.participant.close() }
    output.send(ActorReport(.ready))
    while let line = readLine() {
      guard let instruction = try? JSONDecoder().decode(ActorInstruction.self, from: Data(line.utf8)) else {
        throw .failure("'\(line)' is not an instruction.")
      }
      var report = ActorReport(.done)
      report.id = instruction.id
      report.begin = MonotonicClock.now().nanoseconds
      if instruction.action == .quit { return output.send(report) }
      do throws(CommandError) {
        report.snapshots = try stage.perform(instruction)
      } catch {
        report.text = error.message
      }
      output.send(report)
    }
  }

  /// What the process has when it is idle. Libraries keep some threads and descriptors for good once they have been used:
  /// so they are used once beforehand.
  private static func baseline(server: String, uid: UInt) -> ProcessStatistics {
    let isWarm = OneTime<Bool>()
    do {
      let signal = WebSocketSignalClient(url: server)
      signal.login(uid: uid) { _ in isWarm.set(true) }
      _ = isWarm.wait(seconds: 5)
      signal.logout()
    }
    var least = ProcessStatistics.current()
    for _ in 0..<15 {
      MonotonicClock.sleep(for: .milliseconds(20))
      let now = ProcessStatistics.current()
      least.fileDescriptorCount = min(least.fileDescriptorCount, now.fileDescriptorCount)
      least.threadCount = max(least.threadCount, now.threadCount)
    }
    return least
  }

  /// Waits until no more is in use than before; idle threads of Dispatch end by themselves after some seconds.
  private static func settle(to before: ProcessStatistics) -> ProcessStatistics {
    let deadline = MonotonicClock.now() + .seconds(Int64(12))
    var now = ProcessStatistics.current()
    while MonotonicClock.now() < deadline,
      now.threadCount > before.threadCount || now.fileDescriptorCount > before.fileDescriptorCount
    {
      MonotonicClock.sleep(for: .milliseconds(50))
      now = ProcessStatistics.current()
    }
    return now
  }
}
