import Foundation
import LinuxIO
import MediaBase

/// Debian's redis-server on a free port, without files.
public final class RedisServer: @unchecked Sendable {
  // @unchecked: one test uses it at a time.

  /// Where it listens.
  public let port: UInt16
  private var process: Process

  /// Starts one, on a free port if none is given; returns when it can be reached.
  public init(port: UInt16? = nil) throws {
    if let port {
      self.port = port
      process = try Self.start(port)
      return
    }
    // A port that was free a moment ago may be somebody else's by now.
    for _ in 0..<20 {
      let port = try UDPSocket(host: "127.0.0.1", port: 0).localAddress.port
      let process = try Self.start(port)
      if Self.isReached(port, process) {
        (self.port, self.process) = (port, process)
        return
      }
      Self.end(process)
    }
    throw CocoaError(.executableLoad)
  }

  deinit { stop() }

  /// For `--redis`.
  public var url: String { "redis://127.0.0.1:\(port)" }

  /// Kills it.
  public func stop() { Self.end(process) }

  /// Starts it again where it was.
  public func restart() throws { process = try Self.start(port) }

  private static func end(_ process: Process) {
    // It inherits the mask of the thread that started it, which may block SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Whether it comes to take connections, and not somebody else at its port.
  private static func isReached(_ port: UInt16, _ process: Process) -> Bool {
    for _ in 0..<1_000 where process.isRunning {
      if connects(port) {
        // One that could not have the port ends soon after.
        usleep(50_000)
        return process.isRunning
      }
      usleep(10_000)
    }
    return false
  }

  private static func connects(_ port: UInt16) -> Bool {
    let descriptor = LoopbackTCP.connect(port: port)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  private static func start(_ port: UInt16) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/redis-server")
    process.arguments = ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process.currentDirectoryURL = FileManager.default.temporaryDirectory
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }
}
