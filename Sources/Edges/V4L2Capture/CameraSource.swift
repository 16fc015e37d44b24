import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// A camera by way of V4L2 (`/dev/videoN`).
///
/// Takes I420, NV12 or YUYV as the camera sends it, whichever comes nearest to the wanted size and rate, and whatever
/// libv4l2 can turn into I420 (JPEG above all) otherwise.
public final class CameraSource: VideoSource {
  private struct Session: Sendable {
    let wake: WakeEvent
    let thread: WorkerThread
  }

  private let path: String?
  private let session = Mutex<Session?>(nil)

  /// Names a camera; nothing is opened before `start`. `nil` for the first one that the system lists.
  public init(path: String? = nil) { self.path = path }

  deinit { stop() }

  /// A name for people and logs.
  public var name: String { path ?? "first camera" }

  /// Opens the camera and starts its stream. Does nothing if it has been started.
  public func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    guard session.withLock({ $0 == nil }) else { return }
    guard let path = path ?? CameraDevice.list().first?.path else { throw .notFound(name: "The default camera") }
    let camera = try CameraHandle(path: path)
    try camera.configure(format)
    try camera.startStreaming()
    let wake = WakeEvent()
    let thread = WorkerThread(name: "v4l2-capture") {
      do throws(MediaDeviceError) {
        try CameraReader(camera, wake).run(sink)
      } catch {
        onFailure(error)
      }
    }
    session.withLock { $0 = Session(wake: wake, thread: thread) }
  }

  /// Stops the stream and closes the camera.
  public func stop() {
    guard let ending = session.withLock({ $0.take() }) else { return }
    ending.wake.signal()
    ending.thread.join()
  }
}

/// Takes pictures off an open camera until it is woken.
private struct CameraReader {
  /// Without a picture for so long, the camera counts as failed.
  private static let patience = MediaDuration.milliseconds(4_000)
  /// Errors in a row before the camera counts as failed; a single one may pass.
  private static let errorsBeforeFailure = 10

  private let camera: CameraHandle
  private let wake: WakeEvent
  private let pool = VideoFramePool()
  private var lastPicture = MonotonicClock.now()
  private var errors = 0
  /// Buffers that the driver does not have; it may refuse one for a moment.
  private var unqueued: [UInt32] = []

  init(_ camera: CameraHandle, _ wake: WakeEvent) {
    self.camera = camera
    self.wake = wake
  }

  consuming func run(_ sink: (VideoFrame) -> Void) throws(MediaDeviceError) {
    while true {
      var descriptors = [
        pollfd(fd: wake.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: camera.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&descriptors, 2, 500)
      if descriptors[0].revents != 0 { return }
      if descriptors[1].revents != 0 { try take(sink) }
      guard MonotonicClock.now() - lastPicture < Self.patience else {
        throw camera.error(ETIMEDOUT, "waiting for a picture")
      }
    }
  }

  private mutating func take(_ sink: (VideoFrame) -> Void) throws(MediaDeviceError) {
    do throws(MediaDeviceError) {
      try giveBack()
      switch try camera.dequeue() {
      case .nothing: return
      case .broken(let index): unqueued.append(index)
      case .picture(let index, let byteCount, let time):
        let frame = camera.picture(index: index, byteCount: byteCount, time: time, pool: pool)
        unqueued.append(index)
        try giveBack()
        guard let frame else { return }
        errors = 0
        lastPicture = MonotonicClock.now()
        sink(frame)
      }
    } catch {
      errors += 1
      if case .disconnected = error { throw error }
      guard errors < Self.errorsBeforeFailure else { throw error }
      // An error that persists would otherwise be asked for again at once.
      MonotonicClock.sleep(for: .milliseconds(10))
    }
  }

  private mutating func giveBack() throws(MediaDeviceError) {
    while let index = unqueued.last {
      try camera.enqueue(index)
      unqueued.removeLast()
    }
  }
}
