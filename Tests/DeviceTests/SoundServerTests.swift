import MediaBase
import Testing

@testable import ALSAAudio

/// What differs between sound servers and cards.
@Suite struct SoundServerTests {
  /// A device that is away, and looked for now and then.
  private struct Absence {
    var patience = ServerPatience()

    /// When another device may take its place, in tenths of a second from `start` on; `nil` if not within a minute.
    mutating func replacement(from start: MediaInstant) -> Int64? {
      (0..<600).first { patience.mayReplace(start + .milliseconds(100 * $0)) }
    }
  }

  @Test func `no card takes the place of a sound server for 10 s, so that the server may start anew`() {
    var absence = Absence()
    absence.patience.noteOpened(isServer: true)
    let first = absence.replacement(from: .zero + .seconds(1_000))
    #expect(first == 100)
    // Still away.
    let later = absence.replacement(from: .zero + .seconds(1_011))
    #expect(later == 0)
    // It has come after all, and goes again: counted from then.
    absence.patience.noteOpened(isServer: true)
    let second = absence.replacement(from: .zero + .seconds(2_000))
    #expect(second == 100)
  }

  @Test func `the place of a card, and of what was never there, is taken at once`() {
    var absence = Absence()
    let first = absence.replacement(from: .zero)
    #expect(first == 0)
    absence.patience.noteOpened(isServer: true)
    let second = absence.replacement(from: .zero + .seconds(5))
    #expect(second == 100)
    // The card that has taken the server's place.
    absence.patience.noteOpened(isServer: false)
    let third = absence.replacement(from: .zero + .seconds(20))
    #expect(third == 0)
  }

  @Test func `a microphone that is begun anew four times without a sample counts as gone`() {
    var patience = RecoveryPatience()
    let verdicts = (0..<5).map { _ in patience.noteRecovery(after: 0) }
    #expect(verdicts == [false, false, false, true, true])
  }

  @Test func `a microphone that runs over again and again, but gives sound meanwhile, is not gone`() {
    var patience = RecoveryPatience()
    let verdicts = (0..<1_000).map { patience.noteRecovery(after: $0 % 4 == 0 ? 480 : 0) }
    #expect(!verdicts.contains(true))
  }
}
