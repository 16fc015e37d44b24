import Foundation
import Synchronization
import TestSupport

/// A WebRTC client of another kind (`Python/*.py`, `Pion/main.go`) that publishes or plays until it is told to end.
final class ExternalPeer: Sendable {
  /// What a peer has seen, by the names of its report.
  struct Report {
    let values: [String: Any]

    subscript(name: String) -> Int { values[name] as? Int ?? 0 }
    func numbers(_ name: String) -> [Int] { values[name] as? [Int] ?? [] }
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lines = Lines()

  private final class Lines: Sendable {
    private let state = Mutex((text: "", hasEnded: false))

    func read(_ file: FileHandle) {
      while case let chunk = file.availableData, !chunk.isEmpty {
        state.withLock { $0.text += String(decoding: chunk, as: UTF8.self) }
      }
      state.withLock { $0.hasEnded = true }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The newest complete line; those before it are forgotten.
    func last() -> String? {
      state.withLock { state in
        let lines = state.text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count > 1 else { return nil }
        state.text = lines.suffix(2).joined(separator: "\n")
        return String(lines[lines.count - 2])
      }
    }
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

  /// The interpreter with aiortc, made by scripts/fetch-python-peers when first needed; `nil` without network.
  static let aiortcInterpreter: URL? = {
    let interpreter = root.appendingPathComponent(".venv/bin/python")
    guard run(root.appendingPathComponent("scripts/fetch-python-peers"), []),
      run(interpreter, ["-c", "import aiortc"])
    else { return nil }
    return interpreter
  }()

  /// Debian's interpreter, if it has GStreamer with WebRTC.
  static let gstreamerInterpreter: URL? = {
    let interpreter = URL(fileURLWithPath: "/usr/bin/python3")
    let probe = "import gi; gi.require_version('GstWebRTC', '1.0'); from gi.repository import GstWebRTC"
    return run(interpreter, ["-c", probe]) ? interpreter : nil
  }()

  /// The player on Pion, built when first needed; `nil` without Go or Pion.
  static let pionPlayer: URL? = {
    let directory = root.appendingPathComponent(".build-pion")
    return run(folder.appendingPathComponent("Pion/build"), [directory.path])
      ? directory.appendingPathComponent("pion-player") : nil
  }()

  /// Whether a program runs and succeeds.
  static func run(_ program: URL, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  convenience init(_ interpreter: URL, _ script: String, _ arguments: [String]) throws {
    try self.init(interpreter, [Self.folder.appendingPathComponent("Python/" + script).path] + arguments)
  }

  init(_ program: URL, _ arguments: [String]) throws {
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let (lines, file) = (lines, output.fileHandleForReading)
    Thread.detachNewThread { lines.read(file) }
  }

  deinit {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  /// What it has seen so far.
  var report: Report {
    let object = lines.last().flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
    return Report(values: object as? [String: Any] ?? [:])
  }

  /// Has it end its session, and waits for its last report.
  func finish() async -> Report {
    try? input.fileHandleForWriting.close()
    _ = await eventually { lines.hasEnded }
    return report
  }
}
