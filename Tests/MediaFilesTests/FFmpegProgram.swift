import Foundation

/// The program, as another implementation to make files with and to look at ours.
enum FFmpegProgram {
  struct Failure: Error {
    var arguments: [String]
    var output: String
  }

  /// Runs `ffmpeg`; what it printed.
  @discardableResult static func run(_ arguments: [String]) throws -> String {
    try execute("ffmpeg", ["-hide_banner", "-nostdin", "-y"] + arguments)
  }

  /// What `ffprobe` says of a file: `entries` as its `-show_entries` takes them, one `key=value` a line.
  static func probe(_ path: String, _ entries: String, _ more: [String] = []) throws -> [String] {
    try execute(
      "ffprobe", ["-v", "error", "-show_entries", entries, "-of", "default=noprint_wrappers=1"] + more + [path]
    )
    .split(separator: "\n").map(String.init)
  }

  private static func execute(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(arguments: arguments, output: output) }
    return output
  }
}
