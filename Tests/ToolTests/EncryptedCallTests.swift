import Foundation
import TestSupport
import Testing

@Suite("Calls that nobody else can see", .ownThread)
struct EncryptedCallTests {
  private static let media = ["--video", "pattern", "--audio", "tone"]

  @Test("a call with a key of its own shows both each other, and nothing to a third who knows the room")
  func threeProcesses() throws {
    let server = try ServerProcess()
    let callee = try ToolProcess(
      ["answer", "--server", server.url, "--uid", "2", "--auto", "--e2e"] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let caller = try ToolProcess(
      ["call", "2", "--server", server.url, "--uid", "1", "--e2e", "--room", "known", "--seconds", "8"] + Self.media)
    #expect(caller.prints("call connected in known"))
    let third = try ToolProcess.run([
      "watch", "--server", server.url, "--uid", "3", "--channel", "known", "--seconds", "3",
      "--profile", "communication",
    ])
    #expect(third.status == 2 && third.output.contains("user 1 is in known"), "\(third)")
    #expect(third.errors.contains("cannot be decrypted") && !third.output.contains("first picture of"), "\(third)")
    let (called, calling) = (callee.finish(), caller.finish())
    #expect(called.status == 0 && calling.status == 0)
    func digits(_ outcome: ToolProcess.Outcome) -> Substring? {
      outcome.output.split(separator: "\n").first { $0.contains("both see:") }?.suffix(14)
    }
    #expect(digits(called) != nil && digits(called) == digits(calling), "\(called) \(calling)")
    #expect(server.end() == 0)
  }

  @Test("a call that must be encrypted is none with somebody who does not encrypt")
  func refused() throws {
    let server = try ServerProcess()
    let callee = try ToolProcess(["answer", "--server", server.url, "--uid", "2", "--auto"] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let caller = try ToolProcess.run(["call", "2", "--server", server.url, "--uid", "1", "--e2e"] + Self.media)
    #expect(caller.status == 1 && caller.errors.contains("cannot be encrypted between the ends"), "\(caller)")
    #expect(caller.errors.contains("has ended before it was connected"), "\(caller)")
    #expect(!caller.output.contains("call connected") && !caller.output.contains("first picture sent"), "\(caller)")
    callee.terminate()
    _ = callee.finish()
    #expect(server.end() == 0)
  }

  @Test("with a token for each room, a call comes about, and who was in it cannot get into the next")
  func tokenOfTheRoom() throws {
    let scratch = try ScratchDirectory()
    let appID = String(repeating: "a", count: 32)
    let certificate = scratch.file("certificate")
    try String(repeating: "c", count: 32).write(toFile: certificate, atomically: true, encoding: .utf8)
    let secrets = ["--app-id", appID, "--certificate-file", certificate]
    let server = try ToolProcess(
      ["serve"] + secrets + ["--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--seconds", "300"])
    #expect(server.prints("media udp"))
    let words = server.outputSoFar.split(whereSeparator: { " ,\n".contains($0) })
    let url = String(try #require(words.first { $0.hasPrefix("ws://") }))
    let program = try #require(ToolProcess.programPath)
    func client(_ verb: String, _ uid: Int, _ more: [String]) throws -> [String] {
      let login = try ToolProcess.run(["token", "make"] + secrets + ["--uid", "\(uid)"]).output
      let command =
        "'\(program)' token make --app-id \(appID) --certificate-file '\(certificate)' "
        + "--channel \"$GREENROOM_ROOM\" --uid \"$GREENROOM_UID\""
      return [
        verb, "--server", url, "--uid", "\(uid)", "--token", login.trimmingCharacters(in: .whitespacesAndNewlines),
        "--room-token-command", command,
      ] + Self.media + more
    }
    var rooms: [Substring] = []
    for _ in 0..<2 {
      let callee = try ToolProcess(try client("answer", 2, ["--auto"]))
      #expect(callee.prints("waiting for calls"))
      let caller = try ToolProcess(try client("call", 1, ["--peer", "2", "--seconds", "6"]))
      #expect(caller.prints("call connected in "))
      let room = caller.outputSoFar.split(separator: "\n").first { $0.contains("call connected in ") }?
        .split(separator: " ").last
      rooms.append(try #require(room))
      // A token for the room before, or for any other, is none for this one.
      let other = try ToolProcess.run(
        ["token", "make"] + secrets + ["--uid", "3", "--channel", String(rooms[0]) + (rooms.count == 1 ? "x" : "")])
      let stranger = try ToolProcess.run([
        "watch", "--server", url, "--uid", "3", "--channel", String(rooms[rooms.count - 1]), "--seconds", "5",
        "--token",
        other.output.trimmingCharacters(in: .whitespacesAndNewlines),
      ])
      #expect(stranger.status == 1 && stranger.errors.contains("oken"), "\(stranger)")
      #expect(caller.finish().status == 0)
      #expect(callee.finish().status == 0)
    }
    #expect(rooms[0] != rooms[1])
    server.terminate()
    #expect(server.finish().status == 0)
  }
}
