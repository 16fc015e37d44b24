import Foundation

/// `greenroom serve` that wants tokens, and who can make them.
final class TokenServer: Sendable {
  let process: ToolProcess
  /// `ws://HOST:PORT`.
  let url: String
  private let scratch: ScratchDirectory
  private let secrets: [String]

  init() throws {
    scratch = try ScratchDirectory()
    let certificate = scratch.file("certificate")
    try String(repeating: "c", count: 32).write(toFile: certificate, atomically: true, encoding: .utf8)
    secrets = ["--app-id", String(repeating: "a", count: 32), "--certificate-file", certificate]
    process = try ToolProcess(
      ["serve"] + secrets + ["--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--seconds", "300"])
    guard process.prints("media udp") else { throw CocoaError(.executableLoad) }
    let words = process.outputSoFar.split(whereSeparator: { " ,\n".contains($0) })
    url = String(words.first { $0.hasPrefix("ws://") } ?? "")
  }

  /// A token; without a channel, for signalling only.
  func token(_ uid: Int, channel: String? = nil) throws -> String {
    let outcome = try ToolProcess.run(
      ["token", "make"] + secrets + ["--uid", "\(uid)"] + (channel.map { ["--channel", $0] } ?? []))
    return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// For `--room-token-command`: makes the right token for each room.
  func roomTokenCommand(_ more: String = "") -> String {
    let program = "'\(ToolProcess.programPath ?? "")' token make " + secrets.map { "'\($0)'" }.joined(separator: " ")
    return program + " --channel \"$GREENROOM_ROOM\" --uid \"$GREENROOM_UID\" " + more
  }

  /// Arguments of `call` and `answer` that log in; with a token for each room, unless there is no command.
  func arguments(_ verb: String, _ uid: Int, roomTokens command: String?) throws -> [String] {
    [verb, "--server", url, "--uid", "\(uid)", "--token", try token(uid)]
      + (command.map { ["--room-token-command", $0] } ?? [])
      + ["--video", "pattern", "--audio", "tone", "--size", "160x90", "--fps", "10"]
  }

  /// Ends it: its exit status.
  func end() -> Int32 {
    process.terminate()
    return process.finish().status
  }
}
