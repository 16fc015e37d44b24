import Foundation

/// A server, a host with a show who answers calls, and a caller, as processes; brought to a point of a call.
final class CallStageProcesses {
  /// Where the call stands when something happens to somebody.
  enum Point: String, CaseIterable, Sendable {
    case show, calling, connecting, connected
  }

  /// Short limits, so that tests need not wait.
  struct Limits {
    var ring = 2.0
    var absence = 1.5
  }

  /// For media, and for messages unless there is another.
  private(set) var server: ServerProcess
  private(set) var signaling: ServerProcess?
  let host: TerminalProcess
  private(set) var caller: ToolProcess?
  private let point: Point
  private let limits: Limits
  private let callerURL: String
  /// What both servers have been started with.
  private let serverOptions: [String]

  /// - Parameters:
  ///   - hostURL: where the host finds the server, and
  ///   - callerURL: the caller; by default the server's own address.
  ///   - signaling: another server for messages.
  init(
    _ point: Point, server: ServerProcess, limits: Limits = Limits(), hostURL: String? = nil, callerURL: String? = nil,
    signaling: ServerProcess? = nil, serverOptions: [String] = []
  ) throws {
    self.point = point
    self.signaling = signaling
    self.serverOptions = serverOptions
    self.server = server
    self.limits = limits
    self.callerURL = callerURL ?? server.url
    // At a terminal, so that it can be left to ring.
    host = try TerminalProcess(
      ["answer", "--uid", "1", "--calls", "9", "--show", "show", "--server", hostURL ?? server.url]
        + (point == .calling ? [] : ["--auto"]) + Self.options(point, limits)
        + (signaling.map { ["--signaling", $0.url] } ?? []))
    guard host.shows("waiting for calls"), host.shows("joined show") else { throw CocoaError(.executableLoad) }
    guard point != .show else { return }
    try call()
    guard host.shows("call: \(point)") else { throw CocoaError(.executableLoad) }
    if let caller, !caller.prints("call: \(point)") { throw CocoaError(.executableLoad) }
  }

  /// Without media nobody gets beyond connecting.
  private static func options(_ point: Point, _ limits: Limits) -> [String] {
    let media =
      point == .connecting ? ["--video", "none", "--audio", "none"] : ["--video", "pattern", "--audio", "tone"]
    return media + ["--size", "160x90", "--fps", "10", "--ring", "\(limits.ring)", "--absence", "\(limits.absence)"]
  }

  func call() throws {
    caller = try ToolProcess(
      ["call", "1", "--uid", "2", "--server", callerURL] + Self.options(point, limits)
        + (signaling.map { ["--signaling", $0.url] } ?? []))
  }

  /// Calls until the host, who may not have logged in again yet, can be reached.
  func callUntilConnected() throws -> Bool {
    for _ in 0..<20 {
      try call()
      if caller?.prints("call: connected") == true { return true }
      _ = caller?.finish()
    }
    return false
  }

  /// The same server again, at the same ports.
  func restartServer() throws { server = try ServerProcess(serverOptions, again: server) }

  /// The same for messages.
  func restartSignaling() throws {
    signaling = try signaling.map { try ServerProcess(serverOptions, again: $0) }
  }

  /// Whether the caller gets pictures from now on.
  func callerGetsPictures() -> Bool {
    let before = caller?.outputSoFar.count ?? 0
    return caller?.prints(after: before) { $0.contains(" fps 160x90") && !$0.contains(" 0 fps") } == true
  }

  var isCallerInCall: Bool { Self.isInCall(caller?.outputSoFar ?? "") }
  var isHostInCall: Bool { Self.isInCall(host.output) }

  private static func isInCall(_ output: String) -> Bool {
    output.split(whereSeparator: \.isNewline).last { $0.contains("  call: ") }?.contains("call: connected") == true
  }

  /// Whether the host is prepared and in its show again, however often it was away.
  func hostIsBack() -> Bool {
    for _ in 0..<3_000 {
      let lines = host.output.split(whereSeparator: \.isNewline).map(String.init)
      let away = lines.count { $0.hasSuffix("show: away") }
      let back = lines.count { $0.hasSuffix("show: on again") }
      let state = lines.last { $0.contains("call: ") } ?? ""
      if away == back, state.contains("call: prepared") { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  /// Ends whoever is left; whether all exited by themselves, and the server with 0.
  func end() -> Bool {
    var isClean = true
    host.tool.terminate()
    isClean = host.tool.exits(within: 15) && isClean
    if let caller {
      caller.terminate()
      isClean = caller.exits(within: 15) && isClean
    }
    return server.end() == 0 && (signaling?.end() ?? 0) == 0 && isClean
  }
}
