import ALSAAudio
import MediaBase
import MediaEngine
import MediaFiles
import PictureFiles
import SyntheticMedia
import V4L2Capture

/// What `--video` and `--audio` name.
enum MediaChoice {
  static let videoHelp = "camera, camera:/dev/videoN, pattern, FILE.y4m or none"
  static let audioHelp = "mic, mic:NAME, tone, FILE.wav or none"

  /// A source of pictures; `nil` for none.
  static func video(_ text: String, burnsClock: Bool = false) throws(CommandError) -> (any VideoSource)? {
    if text == "none" { return nil }
    if text == "pattern" { return TestPatternSource() }
    if text == "camera" || text.hasPrefix("camera:") {
      let camera = CameraSource(path: text == "camera" ? nil : String(text.dropFirst(7)))
      return burnsClock ? ClockBurningSource(camera) : camera
    }
    guard text.hasSuffix(".y4m") else { throw .usage("--video is '\(text)', but must be \(videoHelp).") }
    do throws(MediaDeviceError) {
      // Opened once before it is needed, so that a bad file is told at once.
      _ = try Y4MReader(path: text)
      return Y4MFileSource(path: text, burnsClock: burnsClock)
    } catch {
      throw .failure(error.description)
    }
  }

  /// A source of sound; `nil` for none.
  static func audio(_ text: String) throws(CommandError) -> (any AudioSource)? {
    if text == "none" { return nil }
    if text == "tone" { return ToneSource() }
    if text == "mic" { return MicrophoneSource() }
    if text.hasPrefix("mic:") { return MicrophoneSource(name: String(text.dropFirst(4))) }
    guard text.hasSuffix(".wav") else { throw .usage("--audio is '\(text)', but must be \(audioHelp).") }
    do throws(MediaDeviceError) {
      _ = try WAVReader(path: text)
      return WAVFileSource(path: text)
    } catch {
      throw .failure(error.description)
    }
  }
}
