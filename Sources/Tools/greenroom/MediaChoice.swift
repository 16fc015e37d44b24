import ALSAAudio
import MediaBase
import MediaEngine
import MediaFiles
import SyntheticMedia
import V4L2Capture

/// What `--video` and `--audio` name. Pictures and sound of one file are played together.
struct MediaChoice {
  static let videoHelp = "camera, camera:/dev/videoN, pattern, a file (MP4, WebM, PNG …) or none"
  static let audioHelp = "mic, mic:NAME, tone, a file (MP4, WebM, WAV, MP3 …) or none"

  /// A source of pictures; `nil` for none.
  let video: (any VideoSource)?
  /// A source of sound; `nil` for none.
  let audio: (any AudioSource)?

  /// - Parameter burnsClock: whether pictures of cameras and files get a `FrameClock`.
  init(video: String, audio: String, burnsClock: Bool = false) throws(CommandError) {
    var film: MovieFile?
    switch video {
    case "none": self.video = nil
    case "pattern": self.video = TestPatternSource()
    case "camera": self.video = Self.camera(nil, burnsClock)
    case _ where video.hasPrefix("camera:"): self.video = Self.camera(String(video.dropFirst(7)), burnsClock)
    default:
      // Opened once before it is needed, so that a bad file is told at once.
      try Self.check("--video", Self.videoHelp) { () throws(MediaDeviceError) in
        try MovieFile.checkPictures(path: video)
      }
      film = MovieFile(path: video, burnsClock: burnsClock)
      self.video = film?.pictures
    }
    switch audio {
    case "none": self.audio = nil
    case "tone": self.audio = ToneSource()
    case "mic": self.audio = MicrophoneSource()
    case _ where audio.hasPrefix("mic:"): self.audio = MicrophoneSource(name: String(audio.dropFirst(4)))
    default:
      try Self.check("--audio", Self.audioHelp) { () throws(MediaDeviceError) in try MovieFile.checkSound(path: audio) }
      self.audio = (audio == video ? film : nil)?.sound ?? MovieFile(path: audio).sound
    }
  }

  private static func camera(_ path: String?, _ burnsClock: Bool) -> any VideoSource {
    let camera = CameraSource(path: path)
    return burnsClock ? ClockBurningSource(camera) : camera
  }

  private static func check(
    _ option: String, _ help: String, _ open: () throws(MediaDeviceError) -> Void
  ) throws(CommandError) {
    do throws(MediaDeviceError) {
      try open()
    } catch .notFound(let name) where !name.contains(where: { $0 == "." || $0 == "/" }) {
      // More likely a word that was not meant to be a file.
      throw .usage("\(option) is '\(name)', but must be \(help).")
    } catch {
      throw .failure(error.description)
    }
  }
}
