/// What a KID is made of (RFC 9605 section 5.1): the generation of a sender's keys, and how often the ratchet has moved on
/// since.
///
/// Generations are drawn at random when a sender begins, not counted: a sender that has been started anew knows nothing
/// of the counters that it had, and must not use a key of its former life again. 59 bits make two of 10,000 lives of one
/// user equal once in 10^10 channels.
struct SFrameKeyID: Hashable {
  /// Bits for the steps of the ratchet (R).
  static let stepBitCount: UInt64 = 4
  /// The last step of a generation; a new one follows.
  static let lastStep: UInt8 = 15

  var generation: UInt64
  var step: UInt8

  /// A generation of random bits. The highest bit is set, so that headers have always the same form.
  init(random: UInt64) {
    generation = random &>> Self.stepBitCount | 1 &<< 59
    step = 0
  }

  init(_ value: UInt64) {
    generation = value &>> Self.stepBitCount
    step = UInt8(truncatingIfNeeded: value) & Self.lastStep
  }

  var value: UInt64 { generation &<< Self.stepBitCount | UInt64(step) }
}
