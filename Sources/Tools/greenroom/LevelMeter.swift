import Glibc
import MediaBase

/// How loud sound is, several times a second: rises at once, and falls slowly enough to be seen.
struct LevelMeter {
  /// What the meter shows.
  struct Reading: Equatable {
    /// 0 (silent) to 255, linear in decibels over the upper 64 of them.
    var level: Int
    /// In dB below full scale, as a negative number; `nil` for silence.
    var decibels: Int?

    /// For a terminal.
    var bar: String {
      let filled = level * 32 / 255
      return String(repeating: "#", count: filled) + String(repeating: ".", count: 32 - filled)
        + (decibels.map { " \($0) dB" } ?? "")
    }
  }

  /// Frames of 10 ms that make a reading.
  private static let framesInReading = 5
  /// The furthest that the meter falls from one reading to the next.
  private static let longestFall = 12

  private var power = 0.0
  private var frameCount = 0
  private var shown = 0

  /// Takes 10 ms of sound; the meter, if it is time for a new reading.
  mutating func add(_ frame: AudioFrame) -> Reading? {
    let sum = frame.samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    power = max(power, sum / Double(max(1, frame.samples.count)))
    frameCount += 1
    guard frameCount >= Self.framesInReading else { return nil }
    defer {
      power = 0
      frameCount = 0
    }
    let decibels = power > 0 ? Int((10 * log10(power / (32_768 * 32_768))).rounded()) : nil
    let level = decibels.map { min(255, max(0, 255 + 4 * $0)) } ?? 0
    shown = max(level, shown - Self.longestFall)
    return Reading(level: shown, decibels: decibels)
  }
}
