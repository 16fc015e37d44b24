import LinuxIO
import MediaBase
import Synchronization

/// A camera by way of V4L2 (`/dev/videoN`).
///
/// Takes the mode that comes nearest to the wanted size and rate, raw rather than JPEG, and whatever libv4l2 can turn into
/// I420 where the camera has no layout that is known here. Several sources of one camera share it. Once started it does
/// not fail: while the camera is unplugged or gives no pictures, the last picture is given once a second (black, if there
/// was none), and the camera is opened again as soon as it is there.
public final class CameraSource: VideoSource, RecoveringSource {
  private struct Session: Sendable {
    let camera: SharedCamera
    let user: CameraUser
  }

  private let path: String?
  private let options: CameraOptions
  private let session = Mutex<Session?>(nil)
  private let observer = Mutex<(@Sendable (MediaDeviceError?) -> Void)?>(nil)

  /// Names a camera; nothing is opened before `start`. `nil` for the first one that the system lists.
  public init(path: String? = nil, options: CameraOptions = CameraOptions()) {
    self.path = path
    self.options = options
  }

  deinit { stop() }

  /// A name for people and logs.
  public var name: String { path ?? "first camera" }

  /// What has become of the camera's pictures, for all its users together; all zero before `start`.
  public var statistics: CameraStatistics {
    session.withLock { $0?.camera }?.state.withLock { $0.statistics } ?? CameraStatistics()
  }

  /// Has `observer` told when the camera has gone, and `nil` when it is back; on the capture thread.
  public func setInterruptionObserver(_ observer: (@Sendable (MediaDeviceError?) -> Void)?) {
    self.observer.withLock { $0 = observer }
  }

  /// Opens the camera, unless another source has it open, and starts delivering. Does nothing if it has been started.
  /// `onFailure` is never called: what happens to the camera later is told to the interruption observer.
  public func start(
    format: VideoCaptureFormat, sink: @escaping @Sendable (VideoFrame) -> Void,
    onFailure: @escaping @Sendable (MediaDeviceError) -> Void
  ) throws(MediaDeviceError) {
    guard session.withLock({ $0 == nil }) else { return }
    guard let path = path ?? CameraDevice.list().first?.path else { throw .notFound(name: "The default camera") }
    let camera = SharedCamera.named(path)
    let user = CameraUser(format: format, options: options, sink: sink) { [weak self] error in
      self?.observer.withLock { $0 }?(error)
    }
    try camera.join(user, followsAny: self.path == nil)
    session.withLock { $0 = Session(camera: camera, user: user) }
  }

  /// Ends delivering, and closes the camera if nobody else uses it.
  public func stop() {
    guard let ending = session.withLock({ $0.take() }) else { return }
    ending.camera.leave(ending.user)
  }
}
