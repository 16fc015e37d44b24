import MediaBase

/// How loud one voice is, from the levels that its packets carry (RFC 6464).
struct VoiceActivity {
  /// From this level on, in dB above -127 dBov, a packet counts as voice: -50 dBov.
  private static let voiceLoudness: Int32 = 77
  /// A sound shorter than so many packets is a knock.
  private static let shortestVoice: Int32 = 2
  /// For how long a voice counts as talking behind its last word.
  private static let pause = MediaDuration.milliseconds(500)
  /// Without a packet for so long, there is nobody.
  private static let absence = MediaDuration.seconds(Int64(2))
  /// In which a loudness that is gone loses half of what it has above the present one.
  private static let halfTime: Int64 = 1_400_000

  /// Smoothed, in 1/256 dB above -127 dBov: rises within some packets, falls within seconds.
  private var score: Int32 = 0
  private var lastPacket: MediaInstant?
  private var lastVoice: MediaInstant?
  /// Packets of voice in a row.
  private var voiceRun: Int32 = 0
  /// The stream's arrival number with which the present sound began.
  private(set) var onset: UInt64 = 0

  /// Takes the next packet's level in -dBov; nil if it tells none, which counts as silence.
  mutating func heard(level: UInt8?, arrival: UInt64, now: MediaInstant) {
    let decibels = 127 - Int32(level.map { $0 & 0x7F } ?? 127)
    score = loudness(now: now)
    if decibels * 256 > score { score += (decibels * 256 - score + 1) / 2 }
    lastPacket = now
    guard decibels >= Self.voiceLoudness else {
      voiceRun = 0
      onset = arrival
      return
    }
    if voiceRun == 0 { onset = arrival }
    voiceRun = min(voiceRun + 1, Self.shortestVoice)
    if voiceRun >= Self.shortestVoice { lastVoice = now }
  }

  /// The smoothed loudness at `now`, in 1/256 dB.
  func loudness(now: MediaInstant) -> Int32 {
    guard let lastPacket, score > 0 else { return 0 }
    // Halves in `halfTime`, straight in between: good enough, and the same on every machine.
    var left = Int64(score)
    var elapsed = max((now - lastPacket).nanoseconds / 1_000, 0)
    while elapsed >= Self.halfTime, left > 0 {
      left /= 2
      elapsed -= Self.halfTime
    }
    return Int32(left - left * elapsed / (2 * Self.halfTime))
  }

  /// Whether it talks, or has a moment ago.
  func isTalking(now: MediaInstant) -> Bool {
    lastVoice.map { now - $0 <= Self.pause } ?? false
  }

  /// Whether packets come at all.
  func isPresent(now: MediaInstant) -> Bool {
    lastPacket.map { now - $0 <= Self.absence } ?? false
  }
}
