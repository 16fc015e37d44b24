/// Everything that one user's media did at one receiver, as it is written to a file.
struct ReceptionRecord: Codable, Sendable {
  var channel: String
  var uid: UInt
  /// When each picture had been decoded, in nanoseconds of CLOCK_MONOTONIC.
  var pictures: [Int64] = []
  /// What the clock burnt into each picture said; -1 if it could not be read.
  var captures: [Int64] = []
  /// When 10 ms of sound that were no silence went to the speaker.
  var sounds: [Int64] = []
}
