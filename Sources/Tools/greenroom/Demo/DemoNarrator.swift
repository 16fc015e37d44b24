import CallAPI
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// Tells the story as it happens: one line an event, with a bar that shows how far the whole has come.
final class DemoNarrator: Sendable {
  private struct Progress {
    var phase = ""
    var done = 0.0
    var planned = 0.0
    var phaseBegin = MediaInstant.zero
  }

  private let progress = Mutex(Progress())
  private let begin = MonotonicClock.now()
  private let total: Double

  /// - Parameter seconds: how long everything will take, about.
  init(total seconds: Double) { total = seconds }

  /// The next phase begins; it will take so long.
  func phase(_ title: String, planned seconds: Double) {
    progress.withLock {
      $0 = Progress(phase: title, done: $0.done + $0.planned, planned: seconds, phaseBegin: MonotonicClock.now())
    }
    print("\(head())  ── \(title)")
  }

  /// Somebody did or noticed something.
  func tell(_ role: DemoRole, _ text: String) { print("\(head())  \(role.name.padded(to: 8))  \(text)") }

  /// Tells a report, if it is worth it.
  func tell(_ entry: DemoInbox.Entry) { if let text = Self.text(entry.report) { tell(entry.role, text) } }

  private func head() -> String {
    let now = MonotonicClock.now()
    let fraction = progress.withLock { progress in
      min(1, (progress.done + min(progress.planned, (now - progress.phaseBegin).seconds)) / total)
    }
    let filled = Int(fraction * 20)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
    let percent = Terminal.fixed(fraction * 100, width: 3, decimals: 0)
    return "\(Terminal.fixed((now - begin).seconds, width: 7)) s \(bar) \(percent) %"
  }

  static func text(_ report: ActorReport) -> String? {
    let user = report.uid.map(DemoRole.name) ?? "somebody"
    let channel = report.channel ?? ""
    switch report.kind {
    case .joined: return "is in \(channel)"
    case .userJoined: return "is told that the \(user) publishes in \(channel)"
    case .userLeft: return "is told that the \(user) has left \(channel)"
    case .picturesBegin: return "sees the \(user) in \(channel)"
    case .soundBegins: return "hears the \(user) in \(channel)"
    case .state:
      let reason = report.reason.flatMap { CallStateReason(rawValue: $0) }.map { "\($0)" } ?? "?"
      return "call state \(report.text ?? "?") (\(reason))"
    case .event: return "call event \(report.text ?? "?")"
    case .connected: return "CONNECTED in \(channel)"
    case .disconnected: return "disconnected from \(channel); the \(user) hung up"
    case .callError, .engineError: return "error: \(report.text ?? "?")"
    case .freed:
      guard let before = report.usageBefore, let after = report.usageAfter else { return nil }
      return "has freed everything: \(after.threads) threads and \(after.descriptors) descriptors, "
        + "\(before.threads) and \(before.descriptors) before"
    case .ready: return "is there"
    case .done: return nil
    }
  }
}
