import Dispatch
import Foundation
import LinuxIO
import MediaBase

/// `greenroom demo`: the whole story with real processes.
enum DemoCommand: Command {
  static let specification = CommandSpecification(
    name: "demo", summary: "play a live show and private calls with a server and four participants",
    details: """
      Starts a channel server, a host, two viewers and a caller as processes of their own that talk over UDP on loopback,
      plays a show with five calls, and checks that everybody saw and heard what they should and nothing else. Takes less
      than a minute. Exits with 1 if a rule was broken.

      Pictures and sound are a camera and a microphone if there are any, clips in .media otherwise, and without them a
      test pattern and something like speech.
      """,
    options: [
      .optional("--media", "WHAT", DemoMedia.help, default: "auto"),
      .optional("--report", "DIR", "where index.html and report.json are written", default: "demo-report"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    let media = try DemoMedia(options.text("--media"))
    let directory = options.text("--report")
    try prepareDirectory(directory)
    let lock = try DirectoryLock(directory)
    defer { withExtendedLifetime(lock) {} }
    // What an earlier story left is not to be taken for this one's.
    for role in DemoRole.allCases { unlink(log(of: role, in: directory)) }
    let narrator = DemoNarrator(total: DemoStory.plannedSeconds)
    let begin = MonotonicClock.now().nanoseconds
    let cast = try DemoCast(media) { narrator.tell($0) }
    let watchers = endWithSignals(cast)
    defer { withExtendedLifetime(watchers) {} }
    var story = DemoStory(
      cast: cast, narrator: narrator, directory: directory, record: DemoRecord(media: media, begin: begin))
    var problem: String?
    do throws(CommandError) { try story.play() } catch {
      problem = error.message
      cast.killAll()
    }
    story.record.end = MonotonicClock.now().nanoseconds
    story.record.reports = cast.inbox.all
    for role in DemoRole.allCases {
      if let data = FileManager.default.contents(atPath: log(of: role, in: directory)) {
        story.record.logs[role] = try? JSONDecoder().decode([ReceptionRecord].self, from: data)
      }
    }
    return try conclude(story.record, problem, directory)
  }

  private static func conclude(
    _ record: DemoRecord, _ problem: String?, _ directory: String
  ) throws(CommandError) -> ExitStatus {
    let report = DemoReport(record, problem: problem)
    try JSONFile.write(report, to: "\(directory)/report.json")
    do {
      try DemoPage(record: record, report: report).html
        .write(toFile: "\(directory)/index.html", atomically: true, encoding: .utf8)
    } catch {
      throw .failure("\(directory)/index.html could not be written: \(error.reason)")
    }
    print("")
    for verdict in report.rules { print("\(verdict.isKept ? "✔" : "✘") \(verdict.rule): \(verdict.detail)") }
    for wait in report.measurements.waits {
      print("  \(wait.what): \(Terminal.fixed(wait.milliseconds, decimals: 1)) ms")
    }
    if let problem { Terminal.error(problem) }
    let kept = report.rules.count(where: \.isKept)
    print(
      "\n\(kept) of \(report.rules.count) rules kept in \(Terminal.fixed(report.seconds, decimals: 1)) s; ",
      terminator: "")
    print("the report is \(directory)/index.html")
    return report.hasSucceeded ? .success : .failure
  }

  private static func prepareDirectory(_ path: String) throws(CommandError) {
    let files = FileManager.default
    do {
      for part in ["", "/pictures", "/logs"] {
        try files.createDirectory(atPath: path + part, withIntermediateDirectories: true)
      }
    } catch {
      throw .failure("\(path) cannot be used: \(error.reason). Choose a directory you may write to.")
    }
  }

  /// Where a participant writes what it received.
  static func log(of role: DemoRole, in directory: String) -> String { "\(directory)/logs/\(role.slug).json" }

  /// SIGINT and SIGTERM end all processes.
  private static func endWithSignals(_ cast: DemoCast) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        cast.killAll()
        exit(128 + number)
      }
      source.activate()
      return source
    }
  }
}
