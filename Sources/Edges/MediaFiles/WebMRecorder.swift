import LinuxIO
import MediaBase
import Synchronization

/// Records one stream of pictures and sound into a WebM file (VP8 and Opus) on a thread of its own, so that a slow disk
/// holds nobody up. Pictures are kept as they came; sound is compressed again, as it was heard.
///
/// The file can be played at any time, also if the program ends without `finish()`. It begins at the first key frame, or
/// with sound alone if none comes within three seconds; pictures that come later begin another file (`show-2.webm`).
public final class WebMRecorder: Sendable {
  private enum Item: Sendable {
    case picture(EncodedVideoFrame, MediaInstant)
    case sound([Int16], MediaInstant)
  }

  private struct State {
    var waitsForKeyFrame = false
    var droppedPictures = 0
  }

  /// What the thread leaves behind.
  private final class Files: Sendable {
    let names = Mutex<[String]>([])
  }

  /// About four seconds of both.
  private static let longestQueue = 500

  private let queue = BoundedQueue<Item>(capacity: WebMRecorder.longestQueue, dropping: .newest)
  private let state = Mutex(State())
  private let files = Files()
  private let thread = Mutex<WorkerThread?>(nil)

  /// Starts recording. The file is made when there is something to write.
  ///
  /// - Parameters:
  ///   - path: the file; one that is there is replaced.
  ///   - onFailure: called at most once, on the recorder's thread, when the file cannot be made or written (a disk that is
  ///     full), or at once if the system gives no thread; nothing more is written then.
  public init(path: String, onFailure: @escaping @Sendable (MediaDeviceError) -> Void) {
    let worker = WorkerThread(name: "webm-recorder") { [queue, files] in
      let recording = WebMRecording(path: path)
      do throws(MediaDeviceError) {
        while let item = queue.pop() {
          switch item {
          case .picture(let picture, let time): try recording.add(picture, at: time)
          case .sound(let samples, let time): try recording.add(samples, at: time)
          }
        }
        try recording.finish()
      } catch {
        queue.close()
        onFailure(error)
      }
      files.names.withLock { $0 = recording.files }
    }
    thread.withLock { $0 = worker }
    if !worker.hasStarted {
      queue.close()
      onFailure(.withoutThread(path))
    }
  }

  deinit { queue.close() }

  /// Takes the next picture, with its RTP timestamp, that was complete at `time`. Never waits: if the disk is too slow,
  /// pictures are left out up to the next key frame.
  public func record(_ picture: EncodedVideoFrame, at time: MediaInstant) {
    let isWanted = state.withLock { state in
      if picture.isKeyFrame { state.waitsForKeyFrame = false }
      return !state.waitsForKeyFrame
    }
    if isWanted, queue.push(.picture(picture, time)) || queue.isClosed { return }
    state.withLock { state in
      state.waitsForKeyFrame = true
      state.droppedPictures += 1
    }
  }

  /// Takes the next 10 ms of sound at 48 kHz; its `captureTime` is when it is heard.
  public func record(_ sound: AudioFrame) {
    guard sound.sampleRate == 48_000, sound.channelCount == 1 || sound.channelCount == 2 else { return }
    let stereo = sound.channelCount == 2 ? sound.samples : sound.samples.flatMap { [$0, $0] }
    queue.push(.sound(stereo, sound.captureTime))
  }

  /// Writes what is waiting, completes the file and returns the names of the files that were made. Idempotent.
  @discardableResult public func finish() -> [String] {
    queue.close()
    thread.withLock { $0.take() }?.join()
    return files.names.withLock { $0 }
  }

  /// Pictures that were left out because the disk was too slow.
  public var droppedPictureCount: Int { state.withLock { $0.droppedPictures } }
}
