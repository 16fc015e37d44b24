import EngineCore
import Testing

@Suite struct MeanOpinionScoreTests {
  @Test func `the scores are those of ITU-T G.107`() {
    // The recommendation gives 4.41 for its default rating of 93.2.
    #expect(MeanOpinionScore.value(lossPercent: 0, delayMilliseconds: 0) == 441)
    #expect(MeanOpinionScore.value(lossPercent: 0, delayMilliseconds: 150) >= 430)
    #expect(MeanOpinionScore.value(lossPercent: 0, delayMilliseconds: 400) < 375)
    #expect(MeanOpinionScore.value(lossPercent: 100, delayMilliseconds: 10_000) == 100)
  }

  @Test func `more loss and more delay are never better, and nonsense is no trouble`() {
    for delay in stride(from: 0.0, through: 2_000, by: 100) {
      for loss in stride(from: 0.0, to: 100, by: 5) {
        let score = MeanOpinionScore.value(lossPercent: loss, delayMilliseconds: delay)
        #expect((100...441).contains(score))
        #expect(MeanOpinionScore.value(lossPercent: loss + 5, delayMilliseconds: delay) <= score)
        #expect(MeanOpinionScore.value(lossPercent: loss, delayMilliseconds: delay + 100) <= score)
      }
    }
    #expect(MeanOpinionScore.value(lossPercent: -5, delayMilliseconds: -.infinity) == 441)
    #expect(MeanOpinionScore.value(lossPercent: .infinity, delayMilliseconds: .infinity) == 100)
  }
}
