import Testing

@Suite("Calls of users who do anything at any time", .timeLimit(.minutes(5)))
struct CallModelTests {
  @Test("the rules hold in every step, whatever users, link and channels do", arguments: Array(UInt64(0)..<10))
  func rulesHold(group: UInt64) {
    var connectedCount = 0
    for seed in group * 40..<group * 40 + 40 {
      var model = CallModel(seed: seed)
      let violations = model.play(actions: 120)
      #expect(violations.isEmpty, "\(violations.prefix(3))")
      connectedCount += model.connectedCount
    }
    // The random users do get as far as calls.
    #expect(connectedCount > 200)
  }

  @Test("a run follows from its seed")
  func reproducible() {
    var first = CallModel(seed: 5)
    var second = CallModel(seed: 5)
    _ = (first.play(actions: 60), second.play(actions: 60))
    #expect(first.bench.log(1) == second.bench.log(1) && !first.bench.log(1).isEmpty)
  }
}
