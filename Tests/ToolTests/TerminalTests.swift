import Foundation
import TestSupport
import Testing

@Suite("Calls at a terminal", .serialized, .ownThread)
struct TerminalTests {
  private static let media = ["--video", "pattern", "--audio", "tone", "--size", "160x90", "--fps", "15"]

  @Test(
    "a call shows states, events and one line of statistics that is replaced; q hangs up, and the terminal is as before"
  )
  func callAndHangUp() throws {
    let server = try ServerProcess()
    let callee = try ToolProcess(["answer", "--uid", "2", "--auto", "--server", server.url] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let caller = try TerminalProcess(["call", "2", "--uid", "1", "--server", server.url] + Self.media)
    #expect(caller.shows("call: connected (recvRemoteFirstFrame), user 2"))
    #expect(caller.shows("\r\u{1B}[Kround trip"))
    #expect(caller.output.contains("event: remoteUserRecvCall") && !caller.isInLineMode)
    // Elsewhere the statistics are lines.
    #expect(callee.prints("kbit/s, "))
    #expect(callee.outputSoFar.contains(" s  round trip ") && !callee.outputSoFar.contains("\u{1B}"))
    caller.press("xq")
    #expect(caller.tool.finish().status == 0)
    #expect(caller.output.contains("call: prepared (localHangup)") && caller.isInLineMode)
    let outcome = callee.finish()
    #expect(outcome.status == 0 && outcome.output.contains("call: prepared (remoteHangup)"), "\(outcome)")
    // The server's record has what both have reported.
    let record = LoopbackConnection(port: server.httpPort).get("/v1/calls?user=1")
    #expect(record.components(separatedBy: "firstFramePerceived").count == 3, "\(record)")
    #expect(record.contains("receivedVideoFrameRate"), "\(record)")
    #expect(server.end() == 0)
  }

  @Test("whoever is called at a terminal is asked: r rejects, a accepts, q hangs up")
  func answering() throws {
    let server = try ServerProcess()
    let callee = try TerminalProcess(["answer", "--uid", "2", "--calls", "2", "--server", server.url] + Self.media)
    #expect(callee.shows("waiting for calls"))
    let first = try ToolProcess(["call", "2", "--uid", "1", "--server", server.url, "--audio"])
    #expect(callee.shows("call: calling (remoteAudioCall)") && callee.shows("a accepts, r rejects"))
    callee.press("r")
    #expect(first.finish().status == 3)
    let second = try ToolProcess(["call", "2", "--uid", "1", "--server", server.url] + Self.media)
    #expect(callee.shows("call: calling (remoteVideoCall)"))
    callee.press("a")
    // Each connects with the other's first picture.
    #expect(callee.shows("call: connected") && second.prints("call: connected"))
    callee.press("q")
    #expect(callee.tool.finish().status == 0 && callee.isInLineMode)
    #expect(second.finish().status == 0)
    #expect(server.end() == 0)
  }

  @Test(
    "the terminal is as before after any signal that can be caught",
    arguments: [
      SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV,
    ])
  func signals(number: Int32) throws {
    let server = try ServerProcess()
    let callee = try TerminalProcess([
      "answer", "--uid", "2", "--server", server.url, "--video", "none", "--audio", "none",
    ])
    #expect(callee.shows("waiting for calls") && !callee.isInLineMode)
    callee.tool.send(signal: number)
    _ = callee.tool.finish()
    #expect(callee.isInLineMode)
    #expect(server.end() == 0)
  }

  @Test("with --window the other side is shown in one")
  func window() throws {
    let server = try ServerProcess()
    let callee = try ToolProcess(["answer", "--uid", "2", "--auto", "--server", server.url] + Self.media)
    #expect(callee.prints("waiting for calls"))
    let caller = try ToolProcess(
      ["call", "2", "--uid", "1", "--window", "--seconds", "2", "--server", server.url] + Self.media,
      environment: ["SDL_VIDEODRIVER": "dummy"])
    let outcome = caller.finish()
    #expect(outcome.status == 0 && outcome.output.contains("call: connected"), "\(outcome)")
    #expect(callee.finish().status == 0)
    #expect(server.end() == 0)
  }
}
