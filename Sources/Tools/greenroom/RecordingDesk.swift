import MediaBase
import MediaEngine
import MediaFiles
import Synchronization

/// Records what a viewer sees and hears: a WebM file for each user who publishes, or everything that is heard as one WAV
/// file.
final class RecordingDesk: Sendable {
  private enum Form {
    case webM
    case wav
  }

  private struct State {
    var recorders: [UInt: WebMRecorder] = [:]
    var sound: WAVRecorder?
    /// Nothing that comes later begins a file anew.
    var hasEnded = false
    /// A file that failed is not tried again.
    var hasFailed = false
  }

  /// What `--record` takes.
  static let help = "record into this file: F.webm (each further user: F-UID.webm) or F.wav (all sound, mixed)"

  private let path: String
  private let form: Form
  private let state = Mutex(State())

  /// Whether a file could not be made or not be written to its end, which has been told.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  init(path: String) throws(CommandError) {
    self.path = path
    switch true {
    case path.hasSuffix(".webm"): form = .webM
    case path.hasSuffix(".wav"): form = .wav
    default: throw .usage("--record is '\(path)', but must end with .webm or .wav.")
    }
    guard form == .wav else { return }
    do throws(MediaDeviceError) {
      let recorder = try WAVRecorder(path: path) { [weak self] error in self?.fail(error) }
      state.withLock { $0.sound = recorder }
    } catch {
      throw .failure("Recording: \(error)")
    }
  }

  func receive(_ picture: RemoteEncodedVideoFrame) {
    guard form == .webM else { return }
    recorder(of: picture.uid)?.record(picture.frame, at: picture.receiveTime)
  }

  func receive(_ sound: ObservedAudioFrame) {
    switch (form, sound.position) {
    case (.webM, .beforeMixing(_, let uid)): recorder(of: uid)?.record(sound.frame)
    case (.wav, .playback): state.withLock { $0.hasEnded ? nil : $0.sound }?.record(sound.frame)
    default: break
    }
  }

  /// Completes the files and says which there are.
  func finish() {
    let recorders = state.withLock { state in
      state.hasEnded = true
      return state.recorders
    }
    for (uid, recorder) in recorders.sorted(by: { $0.key < $1.key }) {
      for file in recorder.finish() { Terminal.event("user \(uid) is recorded in \(file)") }
      let dropped = recorder.droppedPictureCount
      if dropped > 0 { Terminal.error("\(dropped) pictures are missing in the recording: the disk was too slow.") }
    }
    guard let sound = state.withLock({ $0.sound.take() }) else { return }
    if sound.finish() { Terminal.event("the sound is recorded in \(path)") }
    let dropped = sound.droppedFrameCount
    if dropped > 0 { Terminal.error("\(dropped * 10) ms are missing in the recording: the disk was too slow.") }
  }

  private func fail(_ error: MediaDeviceError) {
    state.withLock { $0.hasFailed = true }
    Terminal.error("Recording: \(error)")
  }

  private func recorder(of uid: UInt) -> WebMRecorder? {
    state.withLock { state in
      guard !state.hasEnded else { return nil }
      if let recorder = state.recorders[uid] { return recorder }
      let name = state.recorders.isEmpty ? path : "\(path.dropLast(5))-\(uid).webm"
      let recorder = WebMRecorder(path: name) { [weak self] error in self?.fail(error) }
      state.recorders[uid] = recorder
      return recorder
    }
  }
}
