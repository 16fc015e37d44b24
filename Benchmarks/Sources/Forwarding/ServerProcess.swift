import Foundation
import LinuxIO
import MediaBase

/// A server in a process of its own: ours, or the plain Pion SFU.
final class ServerProcess {
  struct Usage {
    /// Of the threads that carry media.
    var cpuNanoseconds: Int64 = 0
  }

  let port: UInt16
  private let process = Process()
  private let input = Pipe()
  /// Names of the threads that carry media begin so; empty for all.
  private let threadPrefix: String

  /// `greenroom serve` in development mode.
  static func greenroom(_ program: String, _ arguments: [String] = []) throws -> ServerProcess {
    try ServerProcess(
      program,
      ["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--workers", "1", "--until-eof"] + arguments,
      threadPrefix: "shard-")
  }

  static func pion(_ program: String, _ arguments: [String]) throws -> ServerProcess {
    try ServerProcess(program, arguments, threadPrefix: "")
  }

  private init(_ program: String, _ arguments: [String], threadPrefix: String) throws {
    self.threadPrefix = threadPrefix
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw HTTPPost.Failure(description: "\(program) ended: \(text)") }
      text += String(decoding: data, as: UTF8.self)
    }
    // The first number after "127.0.0.1:" is the port for HTTP.
    guard let colon = text.range(of: "127.0.0.1:"),
      let port = UInt16(text[colon.upperBound...].prefix { $0.isNumber })
    else { throw HTTPPost.Failure(description: "\(program) says no port: \(text)") }
    self.port = port
    // What else it prints must not fill the pipe.
    output.fileHandleForReading.readabilityHandler = { if $0.availableData.isEmpty { $0.readabilityHandler = nil } }
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.terminate()
    process.waitUntilExit()
  }

  /// CPU time of the threads that carry media, by the scheduler's own count.
  var cpuNanoseconds: Int64 {
    let directory = "/proc/\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return threads.reduce(0) { sum, thread in
      guard read("\(directory)/\(thread)/comm")?.hasPrefix(threadPrefix) ?? false,
        let time = read("\(directory)/\(thread)/schedstat")?.split(separator: " ").first
      else { return sum }
      return sum + (Int64(time) ?? 0)
    }
  }

  /// Memory of the process's own, in bytes.
  var memory: Int {
    let rollup = read("/proc/\(process.processIdentifier)/smaps_rollup") ?? ""
    let line = rollup.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return (line?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map { $0 * 1_024 } ?? 0
  }

  private func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
