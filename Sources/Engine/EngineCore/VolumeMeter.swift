public import MediaBase

/// Who is how loud on one connection: takes levels as they are measured, gives the loudest at every report.
public struct VolumeMeter: Sendable {
  private struct Speaker {
    /// The loudest since the last report.
    var peak = 0
    var smoothed = 0.0
    var lastSound: MediaInstant
  }

  /// How many remote users a report has at most.
  public static let speakerCount = 3
  /// A user who has been silent for so long is not reported.
  public static let silence = MediaDuration.milliseconds(20_000)
  /// What counts as sound, 0 to 255: about -56 dB.
  static let soundThreshold = 32

  private var speakers: [UInt: Speaker] = [:]
  private var activeSpeaker: UInt?

  /// Nobody yet.
  public init() {}

  /// A piece of somebody's sound has been measured; 0 (silent) to 255.
  public mutating func add(_ volume: Int, of uid: UInt, now: MediaInstant) {
    var speaker = speakers[uid] ?? Speaker(lastSound: now)
    speaker.peak = max(speaker.peak, volume)
    if volume >= Self.soundThreshold { speaker.lastSound = now }
    speakers[uid] = speaker
  }

  /// Somebody has gone.
  public mutating func remove(_ uid: UInt) { speakers[uid] = nil }

  /// The loudest since the last report, loudest first, and all together (255 at most); and who is the loudest now, if that
  /// is another than before.
  ///
  /// - Parameter smooth: 0 (as measured) to 10 (slowest to follow).
  public mutating func report(
    smooth: Int, now: MediaInstant
  ) -> (speakers: [(uid: UInt, volume: Int)], total: Int, newActiveSpeaker: UInt?) {
    var all: [(uid: UInt, volume: Int)] = []
    for (uid, speaker) in speakers {
      let smoothed = speaker.smoothed + (Double(speaker.peak) - speaker.smoothed) / Double(1 + max(0, smooth))
      speakers[uid]?.smoothed = smoothed
      speakers[uid]?.peak = 0
      if now - speaker.lastSound < Self.silence { all.append((uid, Int(smoothed.rounded()))) }
    }
    all.sort { ($0.volume, $1.uid) > ($1.volume, $0.uid) }
    let total = min(255, all.reduce(0) { $0 + $1.volume })
    var changed: UInt?
    if let loudest = all.first, loudest.volume >= Self.soundThreshold, loudest.uid != activeSpeaker {
      activeSpeaker = loudest.uid
      changed = loudest.uid
    }
    return (Array(all.prefix(Self.speakerCount)), total, changed)
  }
}
