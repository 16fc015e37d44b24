import CFFmpeg
import MediaBase
import PictureFiles

/// Which picture of a file is to be seen when. Without a clock of its own.
final class MoviePictures: @unchecked Sendable {
  // @unchecked: made on one thread, then used by the source's thread only.

  /// The file's own rate; 25 where it does not say one.
  let frameRate: Double

  private let track: MovieTrack
  private let converter: MoviePictureConverter
  private let loops: Bool
  /// The picture to be seen, and the one that takes its place at `upcomingSeconds`.
  private var shown = av_frame_alloc()
  private var upcoming = av_frame_alloc()
  private var upcomingSeconds = 0.0
  private var hasShown = false
  private var hasUpcoming = false
  /// When the round through the file that is being played began.
  private var roundStart = 0.0
  /// How long a round is, once that is known.
  private var roundSeconds: Double?

  init(path: String, loops: Bool) throws(MediaDeviceError) {
    track = try MovieTrack(path: path, .pictures)
    self.loops = loops
    converter = MoviePictureConverter(rotation: Self.rotation(of: track.stream))
    let rate = av_guess_frame_rate(track.container.context, track.stream, nil)
    let perSecond = rate.den > 0 ? Double(rate.num) / Double(rate.den) : 0
    frameRate = (1...240).contains(perSecond) ? perSecond : 25
    roundSeconds = track.container.durationSeconds
    try decodeUpcoming()
    guard hasUpcoming else { throw .unsupportedFormat(name: path, detail: "it has no pictures") }
  }

  deinit {
    av_frame_free(&shown)
    av_frame_free(&upcoming)
  }

  /// The picture to be seen when so much has been played, in the wanted size; nobody else holds its memory. `nil` at the end
  /// of a file that does not loop. Times only grow.
  func picture(at played: Double, width: Int, height: Int) throws(MediaDeviceError) -> VideoFrame? {
    if let roundSeconds, played - roundStart >= roundSeconds {
      guard loops else { return nil }
      try beginRound(at: played, of: roundSeconds)
    }
    let wanted = played - roundStart
    while hasUpcoming, upcomingSeconds <= wanted || !hasShown {
      swap(&shown, &upcoming)
      hasShown = true
      let seconds = upcomingSeconds
      try decodeUpcoming()
      if !hasUpcoming, roundSeconds == nil {
        roundSeconds = seconds + 1 / frameRate
        return try picture(at: played, width: width, height: height)
      }
    }
    guard let shown else { return nil }
    return try converter.convert(shown, path: track.path, width: width, height: height)
  }

  private func beginRound(at played: Double, of roundSeconds: Double) throws(MediaDeviceError) {
    let rounds = ((played - roundStart) / roundSeconds).rounded(.down)
    roundStart += rounds * roundSeconds
    try track.rewind()
    hasShown = false
    try decodeUpcoming()
    guard hasUpcoming else {
      throw .unsupportedFormat(name: track.path, detail: "its pictures have gone while it was played")
    }
  }

  private func decodeUpcoming() throws(MediaDeviceError) {
    guard let upcoming else { return }
    hasUpcoming = try track.next(into: upcoming)
    guard hasUpcoming else { return }
    upcomingSeconds = track.seconds(of: upcoming) ?? upcomingSeconds + 1 / frameRate
  }

  /// The quarter turns, clockwise, that a file asks for, as those of phones do.
  private static func rotation(of stream: UnsafeMutablePointer<AVStream>) -> Int {
    var size = 0
    guard let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else { return 0 }
    let counterclockwise = data.withMemoryRebound(to: Int32.self, capacity: 9) { av_display_rotation_get($0) }
    guard counterclockwise.isFinite else { return 0 }
    let quarters = Int((-counterclockwise / 90).rounded())
    return (quarters % 4 + 4) % 4 * 90
  }
}
