import Foundation
import TestSupport
import Testing

@Suite("The command line", .ownThread)
struct CommandLineTests {
  @Test(
    "every command explains itself",
    arguments: [
      "serve", "publish", "watch", "call", "answer", "token make", "token show", "token check", "devices", "preview",
      "demo",
    ])
  func help(command: String) throws {
    let outcome = try ToolProcess.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("greenroom \(command): "))
    #expect(outcome.output.contains("Options:\n  --"))
    let list = try ToolProcess.run(["--help"])
    #expect(list.status == 0 && list.output.contains("  \(command) "))
  }

  @Test("devices are listed for people and for programs, also where there are none")
  func devices() throws {
    let outcome = try ToolProcess.run(["devices", "--json"])
    #expect(outcome.status == 0)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: [[String: Any]]])
    #expect(Set(report.keys) == ["cameras", "microphones", "speakers"])
    let text = try ToolProcess.run(["devices", "--controls"]).output
    for title in ["Cameras:", "Microphones:", "Speakers:"] { #expect(text.contains("\(title)\n  ")) }
  }

  @Test(
    "the first word of commands of two words lists them",
    arguments: [["token", "--help"], ["token", "-h"], ["token"]])
  func group(arguments: [String]) throws {
    let outcome = try ToolProcess.run(arguments)
    #expect(outcome.status == (arguments.count > 1 ? 0 : 64))
    for command in ["make", "show", "check"] { #expect(outcome.output.contains("  token \(command) ")) }
    #expect(!outcome.output.contains("publish"))
  }

  @Test(
    "a wrong command line is 64, and says what is wrong",
    arguments: [
      (["frobnicate"], "no command 'frobnicate'"),
      (["token", "frobnicate"], "no command 'token frobnicate'"),
      (["serve"], "either --app-id"),
      (["serve", "--dev", "--http", "nowhere"], "must be HOST:PORT"),
      (["serve", "--dev", "--advertise", "203.0.113.7,"], "must be ADDRESS or ADDRESS,ADDRESS"),
      (["watch", "--channel", "a"], "--uid N is missing"),
      (["watch", "--channel", "a", "--uid", "0"], "from 1 to 4294967295"),
      (["watch", "--channel", "a", "--uid", "4294967296"], "from 1 to 4294967295"),
      (["watch", "--channel", "a", "--uid", "1", "--server", "http://127.0.0.1"], "must be ws://HOST:PORT"),
      (["watch", "--channel", "a", "--uid", "1", "--server", "ws://127.0.0.1:99999"], "must be ws://HOST:PORT"),
      (["watch", "--channel", "a", "--uid", "1", "--server", "ws://two words"], "must be ws://HOST:PORT"),
      (["watch", "--channel", "a", "--uid", "1", "--seconds", "-1"], "above 0"),
      (["publish", "--channel", "a", "--uid", "1", "--video", "filming"], "must be camera"),
      (["publish", "--channel", "a", "--uid", "1", "--video", "pattern", "--size", "641x360"], "even numbers"),
      (["publish", "--channel", "a", "--uid", "1", "--loud"], "'--loud' is not an option"),
      (["call", "--uid", "1"], "--peer M is missing"),
      (["call", "--uid", "1", "--peer", "1"], "the same user"),
      (["call", "-1", "--uid", "1"], "--peer is '-1', but must be a whole number from 1 to 4294967295"),
      (["call", "5.5", "--uid", "1"], "--peer is '5.5', but must be a whole number from 1 to 4294967295"),
      (["call", "--uid", "1", "--peer", "2", "--room", "a/b"], "cannot be a channel's name"),
      (["preview", "--video", "none", "--audio", "none"], "nothing to show"),
      (["demo", "--media", "dreams"], "must be auto, camera, clips or pattern"),
    ] as [([String], String)])
  func usage(arguments: [String], expected: String) throws {
    let outcome = try ToolProcess.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(expected), "\(outcome.errors)")
  }

  @Test("what cannot be done is 1, and says why and what to do")
  func impossible() throws {
    let scratch = try ScratchDirectory()
    let junk = scratch.file("junk.y4m")
    try "no pictures".write(toFile: junk, atomically: true, encoding: .utf8)
    let publish = ["publish", "--server", "ws://127.0.0.1:1", "--channel", "a", "--uid", "1"]
    let cases: [([String], String)] = [
      (publish + ["--video", scratch.file("none.y4m"), "--audio", "none"], "does not exist"),
      (publish + ["--video", junk, "--audio", "none"], "cannot be used: opening it failed"),
      (publish + ["--video", "pattern", "--audio", scratch.file("none.wav")], "does not exist"),
      (publish + ["--video", "pattern", "--audio", "none", "--seconds", "1"], "Nobody listens at"),
      (["watch", "--server", "ws://127.0.0.1:1", "--channel", "a/b", "--uid", "1"], "cannot be a channel's name"),
      (["watch", "--server", "ws://127.0.0.1:1", "--channel", "a", "--uid", "1", "--seconds", "1"], "was not joined"),
      (
        ["call", "--server", "ws://127.0.0.1:1", "--uid", "1", "--peer", "2", "--video", "none", "--audio", "none"],
        "Nobody listens at"
      ),
      (["watch", "--channel", "a", "--uid", "1", "--stats", scratch.file("none/s.json")], "No such file or directory"),
      (["serve", "--dev", "--http", "192.0.2.1:0"], "listens on loopback only"),
      (["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:65534", "--workers", "3"], "65535"),
      (
        ["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--advertise", "example.org"], "IP address"
      ),
      (["demo", "--report", junk], "Choose a directory"),
    ]
    for (arguments, expected) in cases {
      let outcome = try ToolProcess.run(arguments)
      #expect(outcome.status == 1, "\(arguments)")
      #expect(outcome.errors.contains(expected), "\(outcome.errors)")
    }
  }

  @Test("a server ends with its standard input if it is told to")
  func endOfInput() throws {
    let outcome = try ToolProcess.run(
      ["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--until-eof"])
    #expect(outcome.status == 0 && outcome.output.contains("stopped"))
  }

  @Test("a server names where clients will send media: where it is bound, or what it was told")
  func candidates() throws {
    for (advertised, expected) in [("", "127.0.0.1:"), ("203.0.113.7,2001:db8::7", "203.0.113.7:")] {
      let outcome = try ToolProcess.run(
        ["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--seconds", "0.1"]
          + (advertised.isEmpty ? [] : ["--advertise", advertised]))
      #expect(outcome.output.contains("candidates: clients send media to \(expected)"), "\(outcome.output)")
      #expect(outcome.output.contains(", [2001:db8:0:0:0:0:0:7]:") == !advertised.isEmpty)
    }
  }

  @Test("two demos do not write to one directory")
  func twoDemos() throws {
    let scratch = try ScratchDirectory()
    let first = try ToolProcess(["demo", "--media", "pattern", "--report", scratch.file("report")])
    #expect(first.prints("is there"))
    let second = try ToolProcess.run(["demo", "--media", "pattern", "--report", scratch.file("report")])
    #expect(second.status == 1 && second.errors.contains("Another demo is writing to"), "\(second.errors)")
    first.terminate()
    _ = first.finish()
  }

  @Test("a port in use is told, for control and for media")
  func portInUse() throws {
    let server = try ServerProcess()
    let http = try ToolProcess.run(["serve", "--dev", "--http", String(server.url.dropFirst("ws://".count))])
    #expect(http.status == 1 && http.errors.contains("in use by another program"), "\(http.errors)")
    let udp = try ToolProcess.run(["serve", "--dev", "--http", "127.0.0.1:0", "--udp", "127.0.0.1:\(server.udpPort)"])
    #expect(udp.status == 1 && udp.errors.contains("in use by another program"), "\(udp.errors)")
    #expect(server.end() == 0)
  }

  @Test("a camera that is not there is told, and the sound goes out nevertheless")
  func missingCamera() throws {
    let server = try ServerProcess()
    let outcome = try ToolProcess.run([
      "publish", "--server", server.url, "--channel", "a", "--uid", "1", "--video", "camera:/dev/video-none", "--audio",
      "tone", "--seconds", "2",
    ])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("/dev/video-none does not exist") && outcome.errors.contains("No picture was sent"))
    #expect(outcome.output.contains("first sound sent to a"))
    #expect(server.end() == 0)
  }
}
