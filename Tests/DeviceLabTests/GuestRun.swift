import Foundation

@testable import DeviceLab

/// The only boot of the guest in a run of tests; every case takes its result from it.
actor GuestRun {
  struct CaseResult: Sendable {
    var hasPassed: Bool
    var detail: String
  }

  struct Report: Sendable {
    var results: [String: CaseResult] = [:]
    var output = ""
  }

  static let shared = GuestRun()

  /// The guest takes a whole processor for minutes: it is started by itself (scripts/test).
  static var isWanted: Bool { ProcessInfo.processInfo.environment["DEVICE_LAB"] != nil }

  private var run: Task<Report, Never>?

  func report() async -> Report {
    let run = self.run ?? Task.detached { Self.boot() }
    self.run = run
    return await run.value
  }

  private static func boot() -> Report {
    let repository = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    let output = Pipe()
    process.executableURL = repository.appendingPathComponent("Tests/DeviceLab/guest")
    guard let program = program("DeviceLab") else { return Report(output: "DeviceLab has not been built") }
    process.arguments = [program.path]
    let started = [
      "aplay", "arecord", "amixer", "Xvfb", "pulseaudio", "pipewire", "wireplumber",
      // The shell finds them.
      "/usr/lib/*/spa-0.2", "/usr/lib/*/pipewire-0.3", "/usr/lib/*/wireplumber-0.4", "/usr/share/pipewire",
      "/usr/share/wireplumber",
      program.deletingLastPathComponent().appending(path: "greenroom").path,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["GUEST_PRELOAD": started.joined(separator: " "), "GUEST_TIMEOUT": "420"]) { $1 }
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch { return Report(output: "\(error)") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return parse(text)
  }

  /// `swift test` runs the tests in a helper of the toolchain; the bundle is named on its command line.
  private static func program(_ name: String) -> URL? {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let places = [tests] + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return places.map { $0.appendingPathComponent(name).standardizedFileURL }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// `case: NAME pass|fail SECONDS DETAIL`
  private static func parse(_ text: String) -> Report {
    var report = Report(output: text)
    for line in text.split(separator: "\n") where line.hasPrefix("case: ") {
      let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
      guard words.count == 5 else { continue }
      report.results[String(words[1])] = CaseResult(hasPassed: words[2] == "pass", detail: "\(words[3]) s, \(words[4])")
      print("lab: \(words[1]) \(words[2]), \(words[3]) s, \(words[4])")
    }
    return report
  }
}
