import CFFmpeg
import MediaBase

/// The sound of a file at 48 kHz, by its place in time. Without a clock of its own.
final class MovieSound: @unchecked Sendable {
  // @unchecked: made on one thread, then used by the source's thread only.

  private static let sampleRate = 48_000
  /// Silence between two pieces is put in so much at a time.
  private static let longestSilence = 48_000
  /// Differences between a piece's time and the end of what came before that are rounding, not a pause: 2 ms.
  private static let tolerance = 96

  /// No place in a file is further from its beginning, in seconds, whatever it says.
  private static let furthest = 1e9

  /// What a decoded piece is made of. It may change in the middle of a file, such as where two were put together.
  private struct Form: Equatable {
    var sampleFormat: Int32
    var rate: Int32
    var channelCount: Int32
    var channelMask: UInt64

    init(_ frame: UnsafeMutablePointer<AVFrame>) {
      sampleFormat = frame.pointee.format
      rate = frame.pointee.sample_rate
      channelCount = frame.pointee.ch_layout.nb_channels
      channelMask = frame.pointee.ch_layout.u.mask
    }
  }

  /// 1 or 2.
  let channelCount: Int

  private let track: MovieTrack
  private let loops: Bool
  private var frame = av_frame_alloc()
  private var resampler: OpaquePointer?
  /// What the resampler was made for.
  private var form: Form?
  /// What has been decoded and not been taken, interleaved. It ends at place `end`.
  private var samples: [Int16] = []
  private var end: Int64 = 0
  /// Decoded sound that belongs to a later place.
  private var later: (place: Int64, samples: [Int16])?
  /// Where the round through the file that is being decoded began.
  private var roundStart: Int64 = 0
  /// How long a round is, once that is known.
  private var roundLength: Int64?
  private var hasEnded = false

  init(path: String, loops: Bool) throws(MediaDeviceError) {
    track = try MovieTrack(path: path, .sound)
    self.loops = loops
    channelCount = track.stream.pointee.codecpar.pointee.ch_layout.nb_channels == 1 ? 1 : 2
    roundLength = track.container.durationSeconds.map { max(1, Int64($0 * Double(Self.sampleRate))) }
    try decode()
    guard later != nil else { throw .unsupportedFormat(name: path, detail: "it has no sound") }
  }

  deinit {
    av_frame_free(&frame)
    swr_free(&resampler)
  }

  /// The samples from `place` on, which counts samples of each channel from the beginning of the first round; `nil` once a
  /// file that does not loop has been played. Places only grow; what lies between is left out.
  func samples(at place: Int64, count: Int) throws(MediaDeviceError) -> [Int16]? {
    if place > end + Int64(Self.sampleRate) { try jump(to: place) }
    let wanted = count * channelCount
    while !hasEnded, end < place + Int64(count) { try extend() }
    let first = max(0, samples.count - Int(clamping: end - place) * channelCount)
    samples.removeFirst(min(first, samples.count))
    guard !samples.isEmpty else { return nil }
    if samples.count < wanted { samples.append(contentsOf: repeatElement(0, count: wanted - samples.count)) }
    let taken = Array(samples[..<wanted])
    samples.removeFirst(wanted)
    return taken
  }

  private func jump(to place: Int64) throws(MediaDeviceError) {
    if let roundLength {
      let rounds = (place - roundStart) / roundLength
      guard loops || rounds == 0 else {
        hasEnded = true
        samples.removeAll()
        return
      }
      roundStart += rounds * roundLength
    }
    try track.seek(toSeconds: Double(place - roundStart) / Double(Self.sampleRate))
    samples.removeAll()
    later = nil
    end = place
  }

  /// Makes `samples` longer: by what is decoded next, or the silence before it.
  private func extend() throws(MediaDeviceError) {
    if later == nil { try decode() }
    guard let (place, piece) = later else { return try finishRound() }
    let gap = place - end
    if gap > Int64(Self.tolerance) { return appendSilence(upTo: place) }
    later = nil
    let overlap = gap < -Int64(Self.tolerance) ? Int(clamping: -gap) * channelCount : 0
    guard overlap < piece.count else { return }
    samples.append(contentsOf: piece[overlap...])
    end += Int64((piece.count - overlap) / channelCount)
  }

  private func appendSilence(upTo place: Int64) {
    let count = min(Int(clamping: place - end), Self.longestSilence)
    samples.append(contentsOf: repeatElement(0, count: count * channelCount))
    end += Int64(count)
  }

  private func finishRound() throws(MediaDeviceError) {
    guard loops else {
      hasEnded = true
      return
    }
    let length = roundLength ?? max(1, end - roundStart)
    roundLength = length
    if end < roundStart + length { return appendSilence(upTo: roundStart + length) }
    roundStart += length
    try track.rewind()
    try decode()
    guard later != nil else {
      throw .unsupportedFormat(name: track.path, detail: "its sound has gone while it was played")
    }
  }

  /// Decodes the next piece into `later`; leaves that empty at the end of the file.
  private func decode() throws(MediaDeviceError) {
    guard let frame, try track.next(into: frame) else { return }
    let seconds = track.seconds(of: frame)
    let piece = try converted(frame)
    let place = seconds.map { seconds in
      let bounded = min(max(seconds, -Self.furthest), Self.furthest)
      return roundStart + Int64((bounded * Double(Self.sampleRate)).rounded())
    }
    later = (place ?? end, piece)
  }

  /// A decoded piece at 48 kHz with `channelCount` channels; what the resampler keeps back comes with the next one.
  private func converted(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaDeviceError) -> [Int16] {
    try prepareResampler(for: frame)
    let most = swr_get_out_samples(resampler, frame.pointee.nb_samples)
    try MovieError.check(track.path, "converting its sound", most)
    var output = [Int16](repeating: 0, count: Int(most) * channelCount)
    let made = output.withUnsafeMutableBytes { bytes in
      var plane = bytes.bindMemory(to: UInt8.self).baseAddress
      return withUnsafeMutablePointer(to: &frame.pointee.extended_data) { data in
        data.withMemoryRebound(to: UnsafeMutablePointer<UnsafePointer<UInt8>?>?.self, capacity: 1) {
          swr_convert(resampler, &plane, most, $0.pointee, frame.pointee.nb_samples)
        }
      }
    }
    try MovieError.check(track.path, "converting its sound", made)
    output.removeLast(output.count - Int(made) * channelCount)
    return output
  }

  private func prepareResampler(for frame: UnsafeMutablePointer<AVFrame>) throws(MediaDeviceError) {
    let form = Form(frame)
    guard resampler == nil || form != self.form else { return }
    swr_free(&resampler)
    var wanted = AVChannelLayout()
    av_channel_layout_default(&wanted, Int32(channelCount))
    let status = swr_alloc_set_opts2(
      &resampler, &wanted, AV_SAMPLE_FMT_S16, Int32(Self.sampleRate), &frame.pointee.ch_layout,
      AVSampleFormat(frame.pointee.format), frame.pointee.sample_rate, 0, nil)
    try MovieError.check(track.path, "converting its sound", status)
    try MovieError.check(track.path, "converting its sound", swr_init(resampler))
    self.form = form
  }
}
