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
    let called = callee.finish()
    #expect(called.status == 3 && called.output.contains("(remoteHangup: The call cannot be encrypted"), "\(called)")
    #expect(called.errors.contains("refused because it could not be encrypted"), "\(called)")
    #expect(server.end() == 0)
  }

  @Test("who takes encrypted calls only refuses others with the reason, and says so instead of that nobody called")
  func refusedByTheCallee() throws {
    let server = try ServerProcess()
    let callee = try ToolProcess(["answer", "--server", server.url, "--uid", "2", "--auto", "--e2e"] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let caller = try ToolProcess.run(["call", "2", "--server", server.url, "--uid", "1"] + Self.media)
    #expect(caller.status == 3, "\(caller)")
    #expect(
      caller.errors.contains(
        "User 2 has rejected the call: The call cannot be encrypted between the ends. Call with --e2e."),
      "\(caller)")
    callee.terminate()
    let called = callee.finish()
    #expect(called.status == 3 && called.errors.contains("refused because it could not be encrypted"), "\(called)")
    #expect(!called.errors.contains("Nobody called"))
    #expect(server.end() == 0)
  }

  @Test("with a token for each room, a call comes about, and who was in it cannot get into the next")
  func tokenOfTheRoom() throws {
    let server = try TokenServer()
    var rooms: [Substring] = []
    for _ in 0..<2 {
      let callee = try ToolProcess(
        try server.arguments("answer", 2, roomTokens: server.roomTokenCommand()) + ["--auto"])
      #expect(callee.prints("waiting for calls"))
      let caller = try ToolProcess(
        try server.arguments("call", 1, roomTokens: server.roomTokenCommand()) + ["--peer", "2", "--seconds", "6"])
      #expect(caller.prints("call connected in "))
      let room = caller.outputSoFar.split(separator: "\n").first { $0.contains("call connected in ") }?
        .split(separator: " ").last
      rooms.append(try #require(room))
      // A token for the room before, or for any other, is none for this one.
      let other = try server.token(3, channel: String(rooms[0]) + (rooms.count == 1 ? "x" : ""))
      let stranger = try ToolProcess.run([
        "watch", "--server", server.url, "--uid", "3", "--channel", String(rooms[rooms.count - 1]), "--seconds", "5",
        "--token", other,
      ])
      #expect(stranger.status == 1 && stranger.errors.contains("oken"), "\(stranger)")
      #expect(caller.finish().status == 0)
      #expect(callee.finish().status == 0)
    }
    #expect(rooms[0] != rooms[1])
    #expect(server.end() == 0)
  }
}
