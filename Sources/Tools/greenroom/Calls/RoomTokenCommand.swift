import CallAPI
import Foundation

/// Gets tokens from a command of the user's, as an application would from its server.
enum RoomTokenCommand {
  /// - Parameter command: for the shell; prints a token for the room and the user that its environment names.
  static func provider(_ command: String) -> PrepareConfiguration.TokenProvider {
    { room, uid, answer in
      DispatchQueue.global().async { answer(run(command, room: room, uid: uid)) }
    }
  }

  private static func run(_ command: String, room: String, uid: UInt) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "GREENROOM_ROOM": room, "GREENROOM_UID": String(uid),
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    do { try process.run() } catch {
      Terminal.error("--room-token-command cannot be run: \(error.reason).")
      return nil
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    process.waitUntilExit()
    guard process.terminationStatus == 0, !text.isEmpty else {
      Terminal.error("--room-token-command gave no token for \(room) (status \(process.terminationStatus)).")
      return nil
    }
    return text
  }
}
