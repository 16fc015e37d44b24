import MediaBase

/// The sound of a file at 48 kHz, piece by piece. Without a clock of its own.
final class WAVPlayback: @unchecked Sendable {
  // @unchecked: made on one thread, then used by the source's thread only.

  /// 1 or 2.
  let channelCount: Int

  private let path: String
  private let reader: WAVReader
  private let loops: Bool
  /// `nil` for files that have the right rate already.
  private var resampler: Resampler?
  private var hasEnded = false

  init(path: String, loops: Bool) throws(MediaDeviceError) {
    let reader = try WAVReader(path: path)
    guard try !reader.next(frameCount: 1).isEmpty else {
      throw .unsupportedFormat(name: path, detail: "it has no sound")
    }
    try reader.rewind()
    channelCount = reader.header.channelCount
    if reader.header.sampleRate != 48_000 {
      resampler = Resampler(from: reader.header.sampleRate, to: 48_000, channelCount: channelCount)
    }
    self.path = path
    self.reader = reader
    self.loops = loops
  }

  /// The next samples, interleaved; `nil` once a file that does not loop has been played. Its last piece is filled up with
  /// silence.
  func next(frameCount: Int) throws(MediaDeviceError) -> [Int16]? {
    if hasEnded { return nil }
    let needed = resampler?.inputNeeded(for: frameCount) ?? frameCount
    let samples = try read(frameCount: needed)
    resampler?.add(samples)
    return resampler?.take(frameCount: frameCount) ?? samples
  }

  private func read(frameCount: Int) throws(MediaDeviceError) -> [Int16] {
    let wanted = frameCount * channelCount
    var samples = try reader.next(frameCount: frameCount)
    while samples.count < wanted {
      guard loops else {
        hasEnded = true
        samples.append(contentsOf: repeatElement(0, count: wanted - samples.count))
        break
      }
      try reader.rewind()
      let more = try reader.next(frameCount: (wanted - samples.count) / channelCount)
      guard !more.isEmpty else {
        throw .unsupportedFormat(name: path, detail: "its sound has gone while it was played")
      }
      samples.append(contentsOf: more)
    }
    return samples
  }
}
