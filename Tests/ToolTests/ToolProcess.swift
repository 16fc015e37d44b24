import Foundation
import Synchronization

/// The `greenroom` program of this build, run as a user would.
final class ToolProcess: Sendable {
  struct Outcome: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  private let process = Process()
  private let output = Collector()
  private let errors = Collector()

  /// Reads a pipe to its end on a thread of its own.
  private final class Collector: Sendable {
    let pipe = Pipe()
    private let text = Mutex("")
    private let end = DispatchSemaphore(value: 0)

    func begin() {
      Thread.detachNewThread { [self] in
        while case let chunk = pipe.fileHandleForReading.availableData, !chunk.isEmpty {
          text.withLock { $0 += String(decoding: chunk, as: UTF8.self) }
        }
        end.signal()
      }
    }

    var soFar: String { text.withLock { $0 } }

    func finish() -> String {
      _ = end.wait(timeout: .now() + 60)
      return soFar
    }
  }

  /// Where the program is.
  static var programPath: String? {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    // `swift test` runs the tests in a helper of the toolchain; the bundle is named on its command line.
    let places = [tests] + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    return places.map { $0.appendingPathComponent("greenroom").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Starts the program, by default with as many descriptors as the tests have.
  ///
  /// - Parameters:
  ///   - terminal: its standard input and output; by default nothing and a pipe.
  ///   - environment: in addition to that of the tests.
  ///   - launcher: a command that runs it, in the place of its arguments.
  init(
    _ arguments: [String], descriptorLimit: Int? = nil, terminal: FileHandle? = nil,
    environment: [String: String] = [:],
    launcher: [String] = []
  ) throws {
    let program = Self.programPath.map { URL(fileURLWithPath: $0) }
    if !launcher.isEmpty, let program {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = launcher + [program.path] + arguments
    } else if let descriptorLimit, let program {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "ulimit -n \(descriptorLimit); exec \"$0\" \"$@\"", program.path] + arguments
    } else {
      process.executableURL = program
      process.arguments = arguments
    }
    process.standardInput = terminal ?? FileHandle.nullDevice
    if let terminal {
      process.standardOutput = terminal
      // Nothing will come: the reader sees the end.
      try output.pipe.fileHandleForWriting.close()
    } else {
      process.standardOutput = output.pipe
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = errors.pipe
    try process.run()
    output.begin()
    errors.begin()
  }

  /// Runs the program to its end.
  static func run(_ arguments: [String]) throws -> Outcome { try ToolProcess(arguments).finish() }

  /// Waits for a text on its standard output, patiently.
  func prints(_ text: String) -> Bool {
    for _ in 0..<6_000 {
      if output.soFar.contains(text) { return true }
      if !process.isRunning { return output.finish().contains(text) }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  /// Waits for a line behind the first `count` characters of its output, patiently.
  func prints(after count: Int, _ isWanted: (Substring) -> Bool) -> Bool {
    for _ in 0..<3_000 {
      if output.soFar.dropFirst(count).split(separator: "\n").contains(where: isWanted) { return true }
      if !process.isRunning { return false }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  var outputSoFar: String { output.soFar }

  func send(signal number: Int32) { Glibc.kill(process.processIdentifier, number) }

  func terminate() { process.terminate() }

  /// Ends it without giving it a chance to say so.
  func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end, for so many seconds; kills it if it does not come.
  func exits(within seconds: Double) -> Bool {
    for _ in 0..<Int(seconds * 100) {
      if !process.isRunning { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    kill()
    return false
  }

  /// Waits for its end.
  func finish() -> Outcome {
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: output.finish(), errors: errors.finish())
  }
}

/// `greenroom serve` on free ports.
final class ServerProcess: Sendable {
  let process: ToolProcess
  /// `ws://HOST:PORT`.
  let url: String
  let udpPort: UInt16

  /// - Parameters:
  ///   - more: further arguments of `serve`.
  ///   - again: a server that has ended, whose ports this one has.
  init(_ more: [String] = [], descriptorLimit: Int? = nil, again: ServerProcess? = nil) throws {
    process = try ToolProcess(
      [
        "serve", "--dev", "--http", "127.0.0.1:\(again?.httpPort ?? 0)", "--udp", "127.0.0.1:\(again?.udpPort ?? 0)",
        "--seconds", "600",
      ] + more, descriptorLimit: descriptorLimit)
    guard process.prints("media udp") else { throw CocoaError(.executableLoad) }
    let words = process.outputSoFar.prefix { $0 != "\n" }.split(whereSeparator: { " ,".contains($0) })
    url = String(words.first { $0.hasPrefix("ws://") } ?? "")
    udpPort = words.last.flatMap { UInt16($0.split(separator: ":").last ?? "") } ?? 0
  }

  var httpPort: UInt16 { UInt16(url.split(separator: ":").last ?? "") ?? 0 }

  /// Ends it: its exit status.
  func end() -> Int32 {
    process.terminate()
    return process.finish().status
  }
}

/// A directory that goes when this does.
final class ScratchDirectory: Sendable {
  let path = NSTemporaryDirectory() + "greenroom-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
}
