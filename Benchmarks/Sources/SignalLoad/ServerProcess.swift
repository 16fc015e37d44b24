import ChannelServer
import Foundation

/// The server in a process of its own, so that its memory is its own.
final class ServerProcess {
  let port: UInt16
  private let process = Process()
  private let input = Pipe()

  init?() {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["server"]
    process.standardInput = input
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { return nil }
    self.port = port
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Bytes in memory.
  var residentByteCount: Int { value("/proc/\(process.processIdentifier)/status", "VmRSS:") * 1_024 }

  /// Seconds of CPU time so far.
  var processorSeconds: Double {
    let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private func value(_ file: String, _ name: String) -> Int {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// What the child does: serves until its input ends.
  static func serve() throws -> Never {
    let server = ChannelServer(configuration: ChannelServerConfiguration(httpPort: 0, udpPort: 0, development: true))
    try server.start()
    print(server.boundHTTPPort)
    fflush(nil)
    _ = FileHandle.standardInput.readDataToEndOfFile()
    server.stop()
    exit(0)
  }
}
