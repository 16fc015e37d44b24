import Foundation
import Synchronization

/// A child process whose output is read line by line.
final class DemoProcess: Sendable {
  private let process: Process
  private let input = Pipe()
  private let ended = OneTime<Int32>()

  /// Starts this program with other arguments. `onLine` is called on a thread of the process's own.
  init(_ arguments: [String], onLine: @escaping @Sendable (String) -> Void) throws(CommandError) {
    process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    let ended = ended
    process.terminationHandler = { ended.set($0.terminationStatus) }
    do { try process.run() } catch {
      throw .failure("\(arguments[0]) could not be started: \(error.reason)")
    }
    let reader = output.fileHandleForReading
    Thread.detachNewThread { Self.read(reader, onLine) }
  }

  private static func read(_ reader: FileHandle, _ onLine: (String) -> Void) {
    var rest = Data()
    while true {
      let chunk = reader.availableData
      if chunk.isEmpty { return }
      rest.append(chunk)
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        onLine(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
    }
  }

  /// Writes a line to its standard input.
  func send(_ line: Data) {
    // A process that has gone is noticed by what it does not answer.
    try? input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8))
  }

  /// Asks it to end.
  func terminate() { process.terminate() }

  /// Ends it.
  func kill() { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }

  /// Waits for its end: its exit status; `nil` if it does not end in time.
  func exitStatus(within seconds: Double) -> Int32? { ended.wait(seconds: seconds) }
}
