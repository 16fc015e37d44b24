import MediaBase

/// Adds a track's sound to the microphone's, where both are published. The microphone keeps the time and is never held back;
/// without it the track goes alone.
struct SoundMixer {
  let mix: SoundMix
  private var waiting: [AudioFrame] = []
  private var lastMicrophone: MediaInstant?

  /// A microphone that has been quiet for longer is away.
  private static let patience = MediaDuration.milliseconds(100)
  /// So many frames of 10 ms of the track wait at most; the oldest go.
  private static let longestWait = 20

  init(mix: SoundMix) { self.mix = mix }

  /// Takes 10 ms of the microphone or a track that have come at `now`; what is to be sent.
  mutating func add(_ frame: AudioFrame, of id: Int, now: MediaInstant) -> [AudioFrame] {
    guard mix.contains(id) else { return [] }
    guard mix.microphone, mix.trackID != nil else { return [frame] }
    if id == SoundMix.microphoneID {
      lastMicrophone = now
      return [waiting.isEmpty ? frame : frame.adding(waiting.removeFirst())]
    }
    waiting.append(frame)
    if let lastMicrophone, now - lastMicrophone < Self.patience {
      if waiting.count > Self.longestWait { waiting.removeFirst() }
      return []
    }
    defer { waiting.removeAll() }
    return waiting
  }
}

extension AudioFrame {
  /// Both at once, with as many channels as the one that has more; what is too loud is cut off.
  func adding(_ other: AudioFrame) -> AudioFrame {
    let count = max(channelCount, other.channelCount)
    var sum = converted(toChannelCount: count)
    let added = other.converted(toChannelCount: count).samples
    for index in 0..<min(sum.samples.count, added.count) {
      sum.samples[index] = Int16(clamping: Int(sum.samples[index]) + Int(added[index]))
    }
    return sum
  }
}
