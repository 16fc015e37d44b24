import Foundation

/// A server's machine and a client's with two links between them, `wifi` and `cable`, as network namespaces of a user
/// namespace: no privileges are needed, and nothing of it is seen outside.
///
/// The server is 10.77.0.1. The client has 10.77.1.2 on `wifi`, 10.77.2.2 on `cable`, each with the server's machine as .1.
final class TwoNetworks: Sendable {
  enum Machine { case server, client }
  enum Link: Int { case wifi = 1, cable = 2 }

  static let serverHost = "10.77.0.1"
  private let server: Process
  private let client: Process

  /// Whether this system lets a user have namespaces, and has the programs to make them.
  static let isPossible: Bool = (try? run(["unshare", "-Urn", "ip", "link"])) != nil

  /// Both links are there; the client has no address yet.
  init() throws {
    server = try Self.hold(["unshare", "-Urn"])
    client = try Self.hold(["nsenter", "-t", "\(server.processIdentifier)"] + Self.options + ["unshare", "-n"])
    try run(.server, "ip link set lo up")
    try run(.client, "ip link set lo up")
    try run(.server, "ip addr add \(Self.serverHost)/32 dev lo")
    for link in [Link.wifi, .cable] {
      try run(.server, "ip link add \(link) type veth peer name \(link) netns \(client.processIdentifier)")
      try run(.server, "ip addr add 10.77.\(link.rawValue).1/24 dev \(link)")
      try run(.server, "ip link set \(link) up")
      try run(.client, "ip link set \(link) up")
    }
  }

  deinit {
    client.terminate()
    server.terminate()
  }

  /// The client gets its address of a link, and its way to the server leads over it.
  func join(_ link: Link) throws {
    try run(.client, "ip addr add 10.77.\(link.rawValue).2/24 dev \(link)")
    try run(.client, "ip route replace \(Self.serverHost) via 10.77.\(link.rawValue).1")
  }

  /// The client's address of a link goes, and what leads over it.
  func leave(_ link: Link) throws { try run(.client, "ip addr del 10.77.\(link.rawValue).2/24 dev \(link)") }

  /// Nothing from the server comes to the client's address of a link any more.
  func silence(_ link: Link) throws { try run(.server, "ip route add blackhole 10.77.\(link.rawValue).2/32") }

  /// A command that runs another one on one of the machines.
  func launcher(_ machine: Machine) -> [String] {
    ["nsenter", "-t", "\((machine == .server ? server : client).processIdentifier)"] + Self.options
  }

  private static let options = ["-U", "-n", "--preserve-credentials"]

  private func run(_ machine: Machine, _ command: String) throws {
    try Self.run(launcher(machine) + command.split(separator: " ").map(String.init))
  }

  private static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(command: arguments.joined(separator: " ")) }
  }

  private struct Failure: Error {
    var command: String
  }

  /// A process that has a namespace and does nothing, until its input ends: with the tests, however they end.
  private static func hold(_ launcher: [String]) throws -> Process {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = launcher + ["sh", "-c", "echo; exec cat"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard !output.fileHandleForReading.availableData.isEmpty else {
      throw Failure(command: launcher.joined(separator: " "))
    }
    return process
  }
}
