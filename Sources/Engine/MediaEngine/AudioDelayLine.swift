import MediaBase

/// Holds sound back before it is sent, so that it comes later beside the pictures. No clock of its own.
struct AudioDelayLine {
  /// The longest that sound can be held back.
  static let longest = MediaDuration.seconds(Int64(5))

  /// A packet with its loudness.
  struct Entry {
    var dueTime: MediaInstant
    var frame: EncodedAudioFrame
    var level: UInt8
  }

  /// How long; what is held already keeps its time.
  var delay = MediaDuration.zero

  private var entries: [Entry] = []

  /// When the next packet is due; `nil` if none is held.
  var nextTime: MediaInstant? { entries.first?.dueTime }

  /// Takes a packet. Order stays: where the delay has become shorter, a packet waits for those before it.
  mutating func push(_ frame: EncodedAudioFrame, level: UInt8, now: MediaInstant) {
    entries.append(Entry(dueTime: max(now + delay, entries.last?.dueTime ?? now), frame: frame, level: level))
  }

  /// The next packet that is due.
  mutating func pop(now: MediaInstant) -> Entry? {
    guard let first = entries.first, first.dueTime <= now else { return nil }
    return entries.removeFirst()
  }
}
