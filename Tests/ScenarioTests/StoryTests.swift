import Foundation
import MediaSimulation
import Testing

@Suite struct StoryTests {
  /// 100 seeds, in debug 25; or the one that `STORY_SEED` names, or as many as `STORY_COUNT` says.
  static let seeds: [UInt64] = {
    if let seed = number("STORY_SEED") { return [seed] }
    #if DEBUG
      let count = 25 as UInt64
    #else
      let count = 100 as UInt64
    #endif
    return Array(1...max(1, number("STORY_COUNT") ?? count))
  }()

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test(arguments: seeds) func story(seed: UInt64) throws { try Story(seed: seed).play() }

  @Test func aSeedTellsTheSameStoryAgain() throws {
    let traces = try (0..<2).map { _ in
      let story = Story(seed: 77)
      try story.play()
      return story.world.trace
    }
    #expect(traces[0] == traces[1])
    #expect(traces[0].count > 10_000)
  }
}
