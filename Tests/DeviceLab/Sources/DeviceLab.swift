import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// Runs all cases, or those that arguments name, and prints a line for each: `case: NAME pass|fail SECONDS DETAIL`.
@main struct DeviceLab {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--hold-camera" { holdCamera() }
    if arguments.first == "--open-camera" { openCamera() }
    if arguments.first == "--loop-sound", let substream = arguments.dropFirst().first { loopSound(substream) }
    if arguments.first == "--list" {
      LabCase.allCases.forEach { print("\($0): \($0.rawValue)") }
      exit(0)
    }
    let chosen = arguments.isEmpty ? LabCase.allCases : LabCase.allCases.filter { arguments.contains("\($0)") }
    // Camera and sound do not disturb each other, and most cases wait most of their time.
    let groups = [chosen.filter { !$0.isSound && !$0.isAlone }, chosen.filter { $0.isSound && !$0.isAlone }]
    let threads = groups.map { cases in WorkerThread(name: "cases") { cases.forEach(run) } }
    threads.forEach { $0.join() }
    chosen.filter(\.isAlone).forEach(run)
    exit(0)
  }

  private static func run(_ labCase: LabCase) {
    let start = MonotonicClock.now()
    let outcome: (String, String)
    do {
      outcome = ("pass", try labCase.run())
    } catch {
      outcome = ("fail", "\(error)")
    }
    let tenths = (MonotonicClock.now() - start).milliseconds / 100
    print("case: \(labCase) \(outcome.0) \(tenths / 10).\(tenths % 10) \(outcome.1)")
    fflush(nil)
  }
}
