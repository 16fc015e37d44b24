/// How often in a row a microphone is begun anew although nothing comes from it.
///
/// A plugin of a sound server that has died takes every new beginning and fails the next reading at once: by itself that
/// would go on some thousand times a second, for ever.
struct RecoveryPatience {
  private static let most = 4
  private var fruitless = 0

  /// Takes note that the device has been begun anew after `samples` of each channel, counted from the time before. `true` if
  /// it counts as gone.
  mutating func noteRecovery(after samples: Int64) -> Bool {
    fruitless = samples > 0 ? 0 : fruitless + 1
    return fruitless >= Self.most
  }
}
