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

  private struct State: ~Copyable {
    var recorders: [UInt: WebMRecorder] = [:]
    var sound: WAVWriter?
    /// Nothing that comes later begins a file anew.
    var hasEnded = false
    /// A file that failed is not tried again.
    var hasFailed = false
  }

  /// What `--record` takes.
  static let help = "record into this file: F.webm (each further user: F-UID.webm) or F.wav (all sound, mixed)"

  private let path: String
  private let form: Form
  private let state: Mutex<State>

  /// Whether a file could not be made or not be written to its end, which has been told.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  init(path: String) throws(CommandError) {
    self.path = path
    switch true {
    case path.hasSuffix(".webm"): form = .webM
    case path.hasSuffix(".wav"): form = .wav
    default: throw .usage("--record is '\(path)', but must end with .webm or .wav.")
    }
    do throws(MediaDeviceError) {
      state = Mutex(State(sound: form == .wav ? try WAVWriter(path: path, channelCount: 2) : nil))
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
    case (.wav, .playback): write(sound.frame)
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
    do throws(MediaDeviceError) {
      try sound.close()
      if !hasFailed { Terminal.event("the sound is recorded in \(path)") }
    } catch {
      if !hasFailed { fail(error) }
    }
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

  private func write(_ frame: AudioFrame) {
    let failure = state.withLock { state -> MediaDeviceError? in
      guard !state.hasFailed, let sound = state.sound else { return nil }
      do throws(MediaDeviceError) {
        try sound.write(frame.samples)
        return nil
      } catch {
        return error
      }
    }
    if let failure { fail(failure) }
  }
}
