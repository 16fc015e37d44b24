import Foundation
import Synchronization

/// The `greenroom` program with a terminal: a pseudo-terminal whose other end is the test.
final class TerminalProcess: Sendable {
  let tool: ToolProcess
  private let master: Int32
  private let slave: Int32
  private let screen = Mutex("")

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    // What posix_openpt, unlockpt and ptsname do.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (unlocked, number) = (Int32(0), UInt32(0))
    let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
    guard ioctl(master, setLock, &unlocked) == 0, ioctl(master, getNumber, &number) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    tool = try ToolProcess(arguments, terminal: FileHandle(fileDescriptor: slave), environment: environment)
    let master = master
    Thread.detachNewThread { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while case let count = read(master, &bytes, bytes.count), count > 0 {
        guard let self else { return }
        screen.withLock { $0 += String(decoding: bytes.prefix(count), as: UTF8.self) }
      }
    }
  }

  deinit {
    close(slave)
    close(master)
  }

  /// Everything that has been written to the terminal.
  var output: String { screen.withLock { $0 } }

  /// Waits for a text, patiently.
  func shows(_ text: String, times: Int = 1) -> Bool {
    for _ in 0..<6_000 {
      if output.components(separatedBy: text).count > times { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }

  func press(_ keys: String) { _ = keys.withCString { write(master, $0, strlen($0)) } }

  /// Whether the terminal waits for whole lines and shows what is typed, as terminals do.
  var isInLineMode: Bool {
    var mode = termios()
    return tcgetattr(slave, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
  }
}
