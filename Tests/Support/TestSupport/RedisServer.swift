import Foundation
import LinuxIO
import MediaBase

/// Debian's redis-server on a free port, without files.
public final class RedisServer: @unchecked Sendable {
  // @unchecked: one test uses it at a time.

  /// Where it listens.
  public let port: UInt16
  private var process: Process

  /// Starts one, on a free port if none is given.
  public init(port: UInt16? = nil) throws {
    // Free a moment ago; good enough for ports that the system hands out in turn.
    self.port = try port ?? UDPSocket(host: "127.0.0.1", port: 0).localAddress.port
    process = try Self.start(self.port)
  }

  deinit { stop() }

  /// For `--redis`.
  public var url: String { "redis://127.0.0.1:\(port)" }

  /// Kills it.
  public func stop() {
    // It inherits the mask of the thread that started it, which may block SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Starts it again where it was.
  public func restart() throws { process = try Self.start(port) }

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
