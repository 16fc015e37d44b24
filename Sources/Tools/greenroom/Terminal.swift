import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// Output for people: lines with the time since the program began.
enum Terminal {
  static let startTime = MonotonicClock.now()

  /// One line on standard output, with the seconds since the program began.
  static func event(_ text: String) {
    let elapsed = (MonotonicClock.now() - startTime).seconds
    print("\(fixed(elapsed, width: 8)) s  \(text)")
  }

  /// One line on standard error.
  static func error(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
