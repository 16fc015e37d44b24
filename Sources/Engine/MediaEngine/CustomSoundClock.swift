import MediaBase

/// Cuts what an application gives to a track, in pieces of any length, into frames of 10 ms that follow each other without
/// gaps.
struct CustomSoundClock: Sendable {
  private var pending: [Int16] = []
  private var channelCount = 1
  /// When the sample behind the last one is due.
  private var end: MediaInstant?

  /// 10 ms at 48 kHz.
  private static let frameCount = 480
  /// A piece that is this far from its place begins anew: sound is missing, or there is too much of it.
  private static let gap = MediaDuration.milliseconds(60)

  /// Takes a piece that has come at `now`; the frames that are whole.
  mutating func add(_ piece: AudioFrame, now: MediaInstant) -> [AudioFrame] {
    let length = MediaDuration.samples(piece.frameCount)
    let start = piece.captureTime == .zero ? now - length : piece.captureTime
    if let end, piece.channelCount == channelCount, start - end < Self.gap, end - start < Self.gap {
      self.end = end + length
    } else {
      pending.removeAll()
      channelCount = piece.channelCount
      end = start + length
    }
    pending += piece.samples
    return takeFrames()
  }

  private mutating func takeFrames() -> [AudioFrame] {
    guard let end else { return [] }
    let size = Self.frameCount * channelCount
    let count = pending.count / size
    let start = end - .samples(pending.count / channelCount)
    let frames = (0..<count).map { index in
      AudioFrame(
        samples: Array(pending[index * size..<(index + 1) * size]), channelCount: channelCount,
        captureTime: start + .samples(index * Self.frameCount))
    }
    pending.removeFirst(count * size)
    return frames
  }
}
