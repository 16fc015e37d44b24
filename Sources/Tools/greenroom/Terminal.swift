import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// Output for people: lines with the time since the program began.
enum Terminal {
  static let startTime = MonotonicClock.now()

  /// Whether standard output is a terminal.
  static let isInteractive = isatty(STDOUT_FILENO) == 1

  /// The line that is kept below all others on a terminal; empty if there is none.
  private static let statusLine = Mutex("")

  /// Goes to the beginning of the line and clears it (ECMA-48 EL).
  private static let clearLine = "\r\u{1B}[K"

  /// One line on standard output, with the seconds since the program began.
  static func event(_ text: String) {
    let elapsed = (MonotonicClock.now() - startTime).seconds
    let line = "\(fixed(elapsed, width: 8)) s  \(text)"
    statusLine.withLock { status in
      guard !status.isEmpty else { return print(line) }
      put(clearLine + line + "\n" + status)
    }
  }

  /// Something that changes all the time: on a terminal one line that is replaced, otherwise a line each time. An empty text
  /// takes the line away.
  static func status(_ text: String) {
    guard isInteractive else { return text.isEmpty ? () : event(text) }
    statusLine.withLock { status in
      guard !text.isEmpty || !status.isEmpty else { return }
      // A line that wraps could not be taken back.
      status = String(text.prefix(max(10, columns - 1)))
      put(clearLine + status)
    }
  }

  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func put(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }

  /// One line on standard error.
  static func error(_ text: String) {
    statusLine.withLock { status in
      var line = (status.isEmpty ? "" : clearLine) + text + "\n"
      line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if !status.isEmpty { put(status) }
    }
  }

  /// Somebody else's words, for one line: without what could move the cursor or turn the text around, and not too long.
  static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(200).map { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        ? " " : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// A number with three decimals, right-aligned.
  static func fixed(_ value: Double, width: Int = 0, decimals: Int = 3) -> String {
    let scale = [1, 10, 100, 1_000, 10_000][min(max(decimals, 0), 4)]
    let scaled = Int((abs(value) * Double(scale)).rounded())
    var text = String(scaled / scale)
    if decimals > 0 {
      let fraction = String(scaled % scale)
      text += "." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
    if value < 0, scaled != 0 { text = "-" + text }
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
