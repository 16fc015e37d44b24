import MediaBase

/// What is sent and what is played, added up although they come on different threads, and although one of them may not come
/// at all: the other then goes alone, a few frames late.
struct SoundMixture {
  /// So many frames of 10 ms wait for the other side.
  static let longestWait = 4

  private var sent: [AudioFrame] = []
  private var played: [AudioFrame] = []

  /// Takes a frame of what is sent; the next frame of the mixture, if there is one.
  mutating func add(sent frame: AudioFrame) -> AudioFrame? {
    sent.append(frame.converted(toChannelCount: 2))
    return next()
  }

  /// Takes a frame of what is played; the next frame of the mixture, if there is one.
  mutating func add(played frame: AudioFrame) -> AudioFrame? {
    played.append(frame.converted(toChannelCount: 2))
    return next()
  }

  private mutating func next() -> AudioFrame? {
    guard !sent.isEmpty, !played.isEmpty else {
      if sent.count > Self.longestWait { return sent.removeFirst() }
      return played.count > Self.longestWait ? played.removeFirst() : nil
    }
    var mixed = played.removeFirst()
    let other = sent.removeFirst().samples
    for index in 0..<min(other.count, mixed.samples.count) {
      mixed.samples[index] = Int16(clamping: Int(mixed.samples[index]) + Int(other[index]))
    }
    return mixed
  }
}
