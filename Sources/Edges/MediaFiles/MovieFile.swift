import MediaBase

/// A film, song or still picture in whatever container and codec FFmpeg's libraries read (MP4, WebM, MOV, MKV, MP3, Ogg, PNG …),
/// played in real time: `pictures` as if it were a camera, `sound` as if it were a microphone, and both together.
///
/// The file begins when the first of the two is started, and time goes on while one of them is stopped. Nothing but local
/// files is opened, also by files that name others.
public final class MovieFile: Sendable {
  /// Its pictures: the middle of them, upright, in exactly the size that is asked for; at the rate that is asked for or the
  /// file's, whichever is lower.
  public let pictures: any VideoSource
  /// Its sound.
  public let sound: any AudioSource

  /// Names a file, which is opened when one of the two sources is started.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - loops: whether it begins again at its end; otherwise nothing more comes then.
  ///   - burnsClock: whether a `FrameClock` with the time of the hand-over is drawn on every picture.
  public init(path: String, loops: Bool = true, burnsClock: Bool = false) {
    let clock = MovieClock()
    pictures = MovieVideoSource(path: path, clock: clock, loops: loops, burnsClock: burnsClock)
    sound = MovieAudioSource(path: path, clock: clock, loops: loops)
  }

  /// Throws what opening the file's pictures would: to tell people at once what is wrong.
  public static func checkPictures(path: String) throws(MediaDeviceError) {
    _ = try MoviePictures(path: path, loops: false)
  }

  /// Throws what opening the file's sound would.
  public static func checkSound(path: String) throws(MediaDeviceError) { _ = try MovieSound(path: path, loops: false) }
}
