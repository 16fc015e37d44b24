import LinuxIO
public import MediaBase
import Synchronization

/// Records sound into a WAV file (16-bit PCM, 48 kHz, two channels) on a thread of its own, so that a slow disk holds nobody up.
///
/// Of a program that ends without `finish()` all but about the last second can be played.
public final class WAVRecorder: Sendable {
  /// Ten seconds.
  private static let longestQueue = 1_000

  private let queue = BoundedQueue<[Int16]>(capacity: WAVRecorder.longestQueue, dropping: .newest)
  private let thread: WorkerThread
  private let result = Result()

  /// What is known of the file.
  private final class Result: Sendable {
    let droppedFrameCount = Atomic(0)
    let isComplete = Atomic(false)
  }

  /// Makes the file, or empties the one that is there, and starts recording.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - onFailure: called at most once, on the recorder's thread, when the file cannot be written (a disk that is full);
  ///     nothing more is written then.
  /// - Throws: why the file cannot be made, or that the system gives no thread.
  public init(path: String, onFailure: @escaping @Sendable (MediaDeviceError) -> Void) throws(MediaDeviceError) {
    let writer = SoundFile(try WAVWriter(path: path, channelCount: 2))
    thread = WorkerThread(name: "wav-recorder") { [queue, result] in
      do throws(MediaDeviceError) {
        while let samples = queue.pop() { try writer.file.write(samples) }
        try writer.file.close()
        result.isComplete.store(true, ordering: .releasing)
      } catch {
        queue.close()
        onFailure(error)
      }
    }
    guard thread.hasStarted else { throw .withoutThread(path) }
  }

  deinit { queue.close() }

  /// Takes the next 10 ms of sound at 48 kHz; a single channel is written to both. Never waits: if the disk is too slow for ten
  /// seconds, sound is left out.
  public func record(_ sound: AudioFrame) {
    guard sound.sampleRate == 48_000, sound.channelCount == 1 || sound.channelCount == 2 else { return }
    let stereo = sound.channelCount == 2 ? sound.samples : sound.samples.flatMap { [$0, $0] }
    if !queue.push(stereo), !queue.isClosed { result.droppedFrameCount.add(1, ordering: .relaxed) }
  }

  /// Writes what is waiting and completes the file; whether all of it could be written. Idempotent.
  @discardableResult public func finish() -> Bool {
    queue.close()
    thread.join()
    return result.isComplete.load(ordering: .acquiring)
  }

  /// Pieces of 10 ms that were left out because the disk was too slow.
  public var droppedFrameCount: Int { result.droppedFrameCount.load(ordering: .relaxed) }
}

/// Goes to the recorder's thread, which alone uses it.
private final class SoundFile: @unchecked Sendable {
  // @unchecked: made by one thread, then used by the recorder's alone.
  let file: WAVWriter

  init(_ file: WAVWriter) { self.file = file }
}
