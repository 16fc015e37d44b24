import Foundation
import TestSupport
import Testing

@Suite("Tokens and TLS on the command line", .ownThread)
struct TokenCommandTests {
  private let scratch: ScratchDirectory
  private let secrets: [String]
  private static let appID = "0123456789abcdef0123456789abcdef"
  private static let certificate = "fedcba9876543210fedcba9876543210"

  init() throws {
    scratch = try ScratchDirectory()
    try Self.certificate.write(toFile: scratch.file("certificate"), atomically: true, encoding: .utf8)
    secrets = ["--app-id", Self.appID, "--certificate-file", scratch.file("certificate")]
  }

  private func make(_ more: [String]) throws -> String {
    let outcome = try ToolProcess.run(["token", "make"] + secrets + more)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  @Test("a token is made, shown and checked; what is wrong with it is told")
  func tokens() throws {
    let token = try make(["--channel", "show", "--uid", "7", "--role", "subscriber", "--seconds", "600"])
    #expect(token.hasPrefix("007"))
    let shown = try ToolProcess.run(["token", "show", "--token", token])
    for text in ["application  \(Self.appID)", "channel      show", "user         7", "may          joinChannel"] {
      #expect(shown.output.contains(text), "\(shown.output)")
    }
    #expect(!shown.output.contains("publishVideo") && !shown.output.contains(Self.certificate))
    func check(_ arguments: [String]) throws -> ToolProcess.Outcome {
      try ToolProcess.run(["token", "check"] + secrets + ["--token", token] + arguments)
    }
    let good = try check(["--channel", "show", "--uid", "7"])
    #expect(
      good.status == 0 && good.output.contains("good to join show") && good.output.contains("may not publish video")
        && good.output.contains("may not publish data"))
    #expect(try check(["--uid", "7"]).output.contains("good for signalling"))
    for (arguments, words) in [
      (["--channel", "other", "--uid", "7"], "another channel"), (["--channel", "show", "--uid", "8"], "another user"),
    ] {
      let outcome = try check(arguments)
      #expect(outcome.status == 1 && outcome.errors.contains(words))
    }
    let broad = try ToolProcess.run(["token", "make"] + secrets + ["--channel", "sh*", "--uid", "0"])
    #expect(broad.status == 1 && broad.output.isEmpty && broad.errors.contains("must name its user"))
    let forged = try ToolProcess.run(["token", "show", "--token", token + "A"])
    #expect(forged.status == 1 && forged.errors.contains("not of the form"))
  }

  @Test("secrets are asked for in words, and never shown")
  func secrecy() throws {
    try "fedc".write(toFile: scratch.file("short"), atomically: true, encoding: .utf8)
    let cases: [([String], Int32, String)] = [
      (["token", "make", "--app-id", "abc", "--uid", "1", "--channel", "a"], 64, "32 hexadecimal digits"),
      (["token", "make", "--app-id", Self.appID, "--uid", "1", "--channel", "a"], 64, "--certificate-file"),
      (
        ["token", "make", "--app-id", Self.appID, "--certificate-file", scratch.file("short"), "--uid", "1"], 1,
        "32 hexadecimal digits"
      ),
      (["token", "make"] + secrets + ["--uid", "0"], 64, "for nothing"),
      (["token", "make"] + secrets + ["--uid", "1", "--seconds", "86401"], 64, "86400"),
      (["token", "mint"], 64, "no command 'token mint'"),
      (["serve", "--dev", "--app-id", Self.appID], 64, "either"),
      (["serve"] + secrets + ["--http", "0.0.0.0:0"], 1, "TLS certificate"),
      (["serve"] + secrets + ["--tls-certificate", scratch.file("short")], 1, "PEM"),
    ]
    for (arguments, status, words) in cases {
      let outcome = try ToolProcess.run(arguments)
      #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
      #expect(!outcome.errors.contains("fedc"))
    }
  }

  @Test("with tokens, over TLS: a show is published and watched, and a call is made; without a token nobody gets in")
  func showAndCall() throws {
    let files = try TestCertificate()
    let server = try ToolProcess(
      ["serve"] + secrets + [
        "--http", "127.0.0.1:0", "--udp", "127.0.0.1:0", "--seconds", "300", "--tls-certificate", files.certificate,
        "--tls-key", files.key,
      ])
    #expect(server.prints("candidates:"))
    let words = server.outputSoFar.split(whereSeparator: { " ,\n".contains($0) })
    let url = String(try #require(words.first { $0.hasPrefix("wss://") }))
    let media = ["--video", "pattern", "--audio", "tone"]
    func client(_ verb: String, _ uid: Int, _ more: [String]) throws -> [String] {
      let token = try make(["--channel", "*", "--uid", "\(uid)"])
      return [verb, "--server", url, "--ca", files.certificate, "--uid", "\(uid)", "--token", token] + more
    }
    let publisher = try ToolProcess(try client("publish", 1, ["--channel", "show"] + media))
    #expect(publisher.prints("joined show"))
    let watcher = try ToolProcess.run(try client("watch", 2, ["--channel", "show", "--seconds", "3"]))
    #expect(watcher.status == 0 && watcher.output.contains("first picture of 1"), "\(watcher)")
    let callee = try ToolProcess(try client("answer", 3, media))
    #expect(callee.prints("waiting for calls"))
    let caller = try ToolProcess.run(try client("call", 4, ["--peer", "3", "--seconds", "2"] + media))
    #expect(caller.status == 0 && caller.output.contains("call connected"), "\(caller)")
    #expect(callee.finish().status == 0)
    let stranger = try ToolProcess.run([
      "watch", "--server", url, "--ca", files.certificate, "--uid", "9", "--channel", "show", "--seconds", "5",
    ])
    #expect(stranger.status == 1 && stranger.errors.contains("needs a token"), "\(stranger)")
    let distrustful = try ToolProcess.run([
      "watch", "--server", url, "--uid", "9", "--channel", "show", "--seconds", "2",
    ])
    #expect(distrustful.status == 1 && distrustful.errors.contains("not trusted"), "\(distrustful)")
    publisher.terminate()
    #expect(publisher.finish().status == 0)
    server.terminate()
    let outcome = server.finish()
    #expect(outcome.status == 0 && !outcome.output.contains(Self.certificate))
  }
}
