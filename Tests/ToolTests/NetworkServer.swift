import Foundation
import TestSupport

/// `greenroom serve` on the server's machine of two networks, with TLS and tokens, as it has to be beyond loopback, and who
/// uses it from either machine.
final class NetworkServer: Sendable {
  private let networks: TwoNetworks
  private let process: ToolProcess
  private let url: String
  private let files: TestCertificate
  private let scratch: ScratchDirectory
  private let secrets: [String]

  init(_ networks: TwoNetworks) throws {
    self.networks = networks
    scratch = try ScratchDirectory()
    files = try TestCertificate([TwoNetworks.serverHost])
    let certificate = scratch.file("certificate")
    try String(repeating: "c", count: 32).write(toFile: certificate, atomically: true, encoding: .utf8)
    secrets = ["--app-id", String(repeating: "a", count: 32), "--certificate-file", certificate]
    process = try ToolProcess(
      ["serve"] + secrets + [
        "--http", "\(TwoNetworks.serverHost):0", "--udp", "\(TwoNetworks.serverHost):0", "--seconds", "600",
        "--tls-certificate", files.certificate, "--tls-key", files.key,
      ], launcher: networks.launcher(.server))
    guard process.prints("media udp") else { throw CocoaError(.executableLoad) }
    let words = process.outputSoFar.split(whereSeparator: { " ,\n".contains($0) })
    url = String(words.first { $0.hasPrefix("wss://") } ?? "")
  }

  /// Runs a command of the program for a user of this server.
  func tool(_ machine: TwoNetworks.Machine, _ verb: String, _ uid: Int, _ more: [String]) throws -> ToolProcess {
    let token = try ToolProcess.run(["token", "make"] + secrets + ["--channel", "*", "--uid", "\(uid)"])
    return try ToolProcess(
      [
        verb, "--server", url, "--ca", files.certificate, "--uid", "\(uid)", "--token",
        token.output.trimmingCharacters(in: .whitespacesAndNewlines),
      ] + more, launcher: networks.launcher(machine))
  }

  /// Ends it: its exit status.
  func end() -> Int32 {
    process.terminate()
    return process.finish().status
  }
}
