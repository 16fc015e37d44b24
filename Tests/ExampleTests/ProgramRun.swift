import Foundation

/// Programs of this build and of the machine.
enum ProgramRun {
  struct Outcome {
    var status: Int32
    var text: String
  }

  /// Where a file of this build is.
  static func built(_ name: String) -> URL? {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    // `swift test` runs the tests in a helper of the toolchain; the bundle is named on its command line.
    let places = [tests] + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return places.map { $0.appendingPathComponent(name) }.first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Starts a program; its output and errors come together.
  static func start(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (process: Process, output: FileHandle) {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try withoutBlockedSignals { try process.run() }
    return (process, output.fileHandleForReading)
  }

  /// Tests run on threads that block signals, and programs inherit that; CMake waits for SIGCHLD.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  /// Runs a program to its end.
  static func run(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    let (process, output) = try start(program, arguments, environment: environment)
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, text: text)
  }
}
