import LinuxIO
import MediaBase
import Synchronization
import V4L2Capture

/// A camera with a memory of what it delivered and told.
final class CameraRecorder: Sendable {
  struct Picture: Sendable {
    var width: Int
    var height: Int
    var captureTime: MediaInstant
    var arrival: MediaInstant
  }

  private struct State {
    var pictures: [Picture] = []
    var last: VideoFrame?
    var interruptions: [MediaDeviceError?] = []
  }

  let source: CameraSource
  private let state = Mutex(State())

  init(path: String? = nil, options: CameraOptions = CameraOptions()) {
    source = CameraSource(path: path, options: options)
    source.setInterruptionObserver { [weak self] error in self?.state.withLock { $0.interruptions.append(error) } }
  }

  var pictures: [Picture] { state.withLock { $0.pictures } }
  var last: VideoFrame? { state.withLock { $0.last } }
  var interruptions: [MediaDeviceError?] { state.withLock { $0.interruptions } }

  func start(_ width: Int, _ height: Int, rate: Int = 30) throws(MediaDeviceError) {
    try source.start(
      format: VideoCaptureFormat(width: width, height: height, frameRate: rate),
      sink: { [weak self] frame in
        let picture = Picture(
          width: frame.width, height: frame.height, captureTime: frame.captureTime, arrival: MonotonicClock.now())
        self?.state.withLock { state in
          state.pictures.append(picture)
          state.last = frame
        }
      }, onFailure: { _ in })
  }

  func stop() { source.stop() }

  /// Waits for `count` more pictures.
  func waitForMore(_ count: Int, seconds: Int = 20) throws {
    let before = pictures.count
    try wait("\(count) more pictures", seconds: seconds) { pictures.count >= before + count }
  }

  func waitForInterruption(_ what: String, _ matches: (MediaDeviceError?) -> Bool) throws {
    try wait(what, seconds: 20) { interruptions.last.map(matches) ?? false }
  }
}

/// Waits for a condition; the guest may be slow.
func wait(_ what: String, seconds: Int = 20, _ condition: () -> Bool) throws {
  let end = MonotonicClock.now() + .seconds(Int64(seconds))
  while !condition() {
    try check(MonotonicClock.now() < end, "waited \(seconds) s for \(what)")
    MonotonicClock.sleep(for: .milliseconds(10))
  }
}
