import Foundation
import Testing

@Suite("Calls of users who do anything at any time", .timeLimit(.minutes(10)))
struct CallModelTests {
  /// `CALL_MODEL_RUNS` seeds; by default as many as take some seconds.
  private static let runCount: UInt64 = {
    if let text = ProcessInfo.processInfo.environment["CALL_MODEL_RUNS"], let count = UInt64(text) { return count }
    #if DEBUG
      return 5_000
    #else
      return 100_000
    #endif
  }()

  /// One seed alone, with all that happens in it: `CALL_MODEL_SEED`.
  private static let singleSeed = ProcessInfo.processInfo.environment["CALL_MODEL_SEED"].flatMap { UInt64($0) }

  @Test("the rules hold in every step, whatever users, link and channels do")
  func rulesHold() async {
    if let seed = Self.singleSeed { return replay(seed) }
    let begin = ContinuousClock.now
    let groups = 16 as UInt64
    let size = (Self.runCount + groups - 1) / groups
    let (connected, encrypted, failed) = await withTaskGroup(of: (Int, Int, UInt64?).self) { tasks in
      for group in 0..<groups { tasks.addTask { Self.play(group * size..<(group + 1) * size) } }
      var (connected, encrypted, failed) = (0, 0, [UInt64]())
      for await result in tasks {
        connected += result.0
        encrypted += result.1
        if let seed = result.2 { failed.append(seed) }
      }
      return (connected, encrypted, failed)
    }
    let seconds = Double((ContinuousClock.now - begin) / .seconds(1))
    print("call model: \(size * groups) runs in \(seconds) s, \(Int(Double(size * groups) / seconds)) in a second")
    if let seed = failed.min() { replay(seed) }
    // The random users do get as far as calls.
    #expect(connected > Int(size * groups) / 4 && encrypted > Int(size * groups) / 40)
  }

  /// Plays seeds until one breaks a rule.
  private static func play(_ seeds: Range<UInt64>) -> (connected: Int, encrypted: Int, failed: UInt64?) {
    var (connected, encrypted) = (0, 0)
    for seed in seeds {
      var model = CallModel(seed: seed)
      if !model.play(actions: 14).isEmpty { return (connected, encrypted, seed) }
      connected += model.connectedCount
      encrypted += model.encryptedCount
    }
    return (connected, encrypted, nil)
  }

  /// Plays a seed with a trace, and prints it if a rule is broken.
  private func replay(_ seed: UInt64, actions: Int = 14, isThorough: Bool = false) {
    var model = CallModel(seed: seed, isThorough: isThorough, trace: true)
    let violations = model.play(actions: actions)
    let isAskedFor = Self.singleSeed != nil
    if !violations.isEmpty || isAskedFor { print(model.bench.trace?.joined(separator: "\n") ?? "") }
    #expect(violations.isEmpty, "CALL_MODEL_SEED=\(seed) plays it alone: \(violations.prefix(3))")
  }

  @Test("the rules hold in long runs, with messages as texts", arguments: Array(UInt64(0)..<4))
  func longRuns(group: UInt64) {
    for seed in group * 20..<group * 20 + 20 {
      var model = CallModel(seed: seed, isThorough: true)
      guard !model.play(actions: 120).isEmpty else { continue }
      return replay(seed, actions: 120, isThorough: true)
    }
  }

  @Test("a run follows from its seed")
  func reproducible() {
    var first = CallModel(seed: 5, isThorough: true)
    var second = CallModel(seed: 5, isThorough: true)
    _ = (first.play(actions: 60), second.play(actions: 60))
    #expect(first.bench.log(1) == second.bench.log(1) && !first.bench.log(1).isEmpty)
  }
}
