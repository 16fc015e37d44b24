import Foundation
import TestSupport
import Testing

@Suite("What `greenroom call` and `greenroom answer` say of a call that does not come about", .serialized, .ownThread)
struct CallOutcomeTests {
  private static let media = ["--video", "pattern", "--audio", "tone", "--size", "160x90", "--fps", "10"]

  // MARK: Ended logins

  /// Logs somebody in under a uid that is logged in already.
  private func logIn(_ uid: Int, _ server: ServerProcess) throws -> ToolProcess {
    let other = try ToolProcess(["answer", "--server", server.url, "--uid", "\(uid)"] + Self.media)
    #expect(other.prints("waiting for calls"))
    return other
  }

  private func endsWithTheReason(_ process: ToolProcess?, _ uid: Int) throws {
    let outcome = try #require(process).finish()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains("User \(uid) has logged in a second time, perhaps in"), "\(outcome)")
  }

  @Test(
    "who is logged in elsewhere while calling ends with the reason, in every state",
    arguments: [CallStageProcesses.Point.calling, .connecting, .connected])
  func callerIsReplaced(point: CallStageProcesses.Point) throws {
    let stage = try CallStageProcesses(
      point, server: ServerProcess(), limits: CallStageProcesses.Limits(ring: 60, absence: 2))
    let other = try logIn(2, stage.server)
    try endsWithTheReason(stage.caller, 2)
    other.terminate()
    _ = other.finish()
    #expect(stage.end())
  }

  @Test("who is logged in elsewhere while it waits for calls, or is in one, ends with the reason")
  func calleeIsReplaced() throws {
    let server = try ServerProcess()
    let first = try logIn(1, server)
    let second = try logIn(1, server)
    try endsWithTheReason(first, 1)
    let caller = try ToolProcess(["call", "1", "--uid", "2", "--server", server.url] + Self.media)
    #expect(second.prints("call connected") && caller.prints("call connected"))
    let third = try logIn(1, server)
    try endsWithTheReason(second, 1)
    for process in [caller, third] {
      process.terminate()
      _ = process.finish()
    }
    #expect(server.end() == 0)
  }

  // MARK: Tokens

  @Test(
    "a caller whose token for the room is refused says so, and does not blame the other side",
    arguments: ["none", "a bad one", "none from the command", "one that has ended"])
  func tokenOfTheCaller(kind: String) throws {
    let server = try TokenServer()
    let callee = try ToolProcess(
      try server.arguments("answer", 2, roomTokens: server.roomTokenCommand()) + ["--calls", "9"])
    #expect(callee.prints("waiting for calls"))
    let command: String? =
      switch kind {
      case "none": nil
      case "a bad one": "echo bad"
      case "none from the command": "false"
      default: server.roomTokenCommand("--seconds 1") + "; sleep 2.5"
      }
    let outcome = try ToolProcess.run(
      try server.arguments("call", 1, roomTokens: command) + ["--peer", "2", "--ring", "30"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains("\nThe token for the room was refused: "), "\(outcome)")
    for wrong in ["did not answer", "accepted", "rejected the call", "rtcOccurError"] {
      #expect(!outcome.errors.contains(wrong), "\(outcome)")
    }
    // The other side is told.
    #expect(callee.prints("call: prepared (remote"))
    callee.terminate()
    _ = callee.finish()
    #expect(server.end() == 0)
  }

  @Test("a callee whose token for the room is refused says so, tells the caller, and is not said to have answered")
  func tokenOfTheCallee() throws {
    let server = try TokenServer()
    let callee = try ToolProcess(try server.arguments("answer", 2, roomTokens: "echo bad"))
    #expect(callee.prints("waiting for calls"))
    let calling = try ToolProcess.run(
      try server.arguments("call", 1, roomTokens: server.roomTokenCommand()) + ["--peer", "2", "--ring", "30"])
    #expect([1, 3].contains(calling.status) && calling.errors.contains(": no valid token for the room"), "\(calling)")
    let called = callee.finish()
    #expect(called.status == 1 && called.errors.contains("\nThe token for the room was refused: "), "\(called)")
    #expect(server.end() == 0)
  }

  @Test("a host's show is joined with a token as the rooms of calls are")
  func tokenOfTheShow() throws {
    let server = try TokenServer()
    let arguments = try server.arguments("answer", 2, roomTokens: server.roomTokenCommand())
    let host = try ToolProcess(arguments + ["--show", "show"])
    #expect(host.prints("joined show as 2"), "\(host.outputSoFar)")
    host.terminate()
    _ = host.finish()
    #expect(server.end() == 0)
  }

  @Test("a token that ends during the call ends it with that reason")
  func tokenEndsInTheCall() throws {
    let server = try TokenServer()
    let callee = try ToolProcess(try server.arguments("answer", 2, roomTokens: server.roomTokenCommand()))
    #expect(callee.prints("waiting for calls"))
    // The token is good once, so that it cannot be renewed.
    let scratch = try ScratchDirectory()
    let command =
      "test ! -e '\(scratch.file("used"))' && touch '\(scratch.file("used"))' && "
      + server.roomTokenCommand("--seconds 10")
    let outcome = try ToolProcess.run(try server.arguments("call", 1, roomTokens: command) + ["--peer", "2"])
    #expect(outcome.output.contains("call connected"), "\(outcome)")
    #expect(outcome.status == 1 && outcome.errors.contains("\nThe token for the room was refused: "), "\(outcome)")
    _ = callee.finish()
    #expect(server.end() == 0)
  }

  // MARK: Refusals

  @Test("a call that is refused at once is named by its id, and the refusal by its reason")
  func refused() throws {
    let server = try ServerProcess()
    let callee = try ToolProcess(
      ["answer", "--server", server.url, "--uid", "2", "--calls", "2", "--reject"] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let rejected = try ToolProcess.run(["call", "2", "--server", server.url, "--uid", "1"] + Self.media)
    #expect(rejected.status == 3 && rejected.errors.contains("User 2 has rejected the call."), "\(rejected)")
    #expect(rejected.output.contains(#/the call is [0-9A-F-]{36}\n/#), "\(rejected)")
    callee.terminate()
    _ = callee.finish()

    let host = try ToolProcess(["answer", "--server", server.url, "--uid", "3"] + Self.media)
    #expect(host.prints("waiting for calls"))
    let first = try ToolProcess(["call", "3", "--server", server.url, "--uid", "4"] + Self.media)
    #expect(first.prints("call connected"))
    let second = try ToolProcess.run(["call", "3", "--server", server.url, "--uid", "5"] + Self.media)
    #expect(second.status == 3 && second.errors.contains("User 3 is busy."), "\(second)")
    #expect(second.output.contains("(remoteCallBusy: The user is currently busy)"), "\(second)")
    #expect(second.output.contains(#/the call is [0-9A-F-]{36}\n/#), "\(second)")
    first.terminate()
    _ = first.finish()
    _ = host.finish()
    #expect(server.end() == 0)
  }

  @Test("a call that was accepted and never connected is a failure at both ends")
  func unconnected() throws {
    let server = try ServerProcess()
    let silent = ["--video", "none", "--audio", "none", "--server", server.url]
    let answer = try ToolProcess(["answer", "--uid", "1", "--auto", "--calls", "1"] + silent)
    #expect(answer.prints("waiting for calls"))
    let call = try ToolProcess(["call", "1", "--uid", "2", "--ring", "2"] + silent)
    let (caller, callee) = (call.finish(), answer.finish())
    #expect(caller.status == 1, "\(caller)")
    #expect(
      callee.status == 1 && callee.errors.contains("A call was accepted, but ended before it was connected."),
      "\(callee)")
    #expect(server.end() == 0)
  }
}
