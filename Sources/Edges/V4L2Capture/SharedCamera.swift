import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// The only one in this process that opens a certain camera: gives its pictures to everybody who wants them.
final class SharedCamera: Sendable {
  /// What its users and its thread both look at.
  struct State {
    var users: [CameraUser] = []
    var isEnding = false
    /// Users have come whose wishes are to be weighed against the mode.
    var hasNewWishes = false
    var statistics = CameraStatistics()
  }

  private struct Session {
    let wake: WakeEvent
    let thread: WorkerThread
  }

  let path: String
  let state = Mutex(State())
  /// Its lock is held while the camera is opened or closed, so that comers and goers wait for each other.
  private let session = Mutex<Session?>(nil)

  private static let cameras = Mutex<[String: SharedCamera]>([:])

  private init(path: String) { self.path = path }

  /// The camera with this path; there is one object for each, by whichever of its names it is called (`/dev/v4l/by-id/…`).
  static func named(_ name: String) -> SharedCamera {
    let path = resolved(name)
    return cameras.withLock { cameras in
      if let camera = cameras[path] { return camera }
      let camera = SharedCamera(path: path)
      cameras[path] = camera
      return camera
    }
  }

  /// The device's file itself; what cannot be found is named as it was.
  private static func resolved(_ name: String) -> String {
    guard let path = realpath(name, nil) else { return name }
    defer { free(path) }
    return String(cString: path)
  }

  /// Begins to deliver to a user; opens the camera for the first.
  ///
  /// - Parameter followsAny: whether any other camera will do when this one has gone.
  func join(_ user: CameraUser, followsAny: Bool) throws(MediaDeviceError) {
    try session.withLock { session throws(MediaDeviceError) in
      if let running = session {
        state.withLock { state in
          state.users.append(user)
          state.hasNewWishes = true
        }
        running.wake.signal()
        return
      }
      let camera = try CameraHandle(path: path)
      try camera.prepare(user.wanted, user.options)
      state.withLock { $0 = State(users: [user]) }
      let wake = WakeEvent()
      // The loop owns the handle: nobody else may hold it, or a camera that has gone would not be let go.
      let loop = CameraLoop(self, camera, wake, followsAny: followsAny)
      let thread = WorkerThread(name: "v4l2-capture") { loop.run() }
      guard thread.hasStarted else {
        state.withLock { $0.users = [] }
        throw .withoutThread(path)
      }
      session = Session(wake: wake, thread: thread)
    }
  }

  /// Ends delivering to a user; closes the camera after the last.
  func leave(_ user: CameraUser) {
    user.end()
    session.withLock { session in
      let isLast = state.withLock { state in
        state.users.removeAll { $0 === user }
        if state.users.isEmpty { state.isEnding = true }
        return state.users.isEmpty
      }
      guard isLast, let ending = session.take() else { return }
      ending.wake.signal()
      ending.thread.join()
    }
  }
}

extension CameraHandle {
  /// Everything between opening and the first picture.
  func prepare(_ wanted: VideoCaptureFormat, _ options: CameraOptions) throws(MediaDeviceError) {
    try configure(wanted, layouts: options.knownLayouts)
    apply(options)
    try startStreaming()
  }
}

extension CameraOptions {
  var knownLayouts: [CameraPixelFormat] {
    guard let layouts else { return CameraPixelFormat.allCases }
    return CameraPixelFormat.allCases.filter { layouts.contains(CameraPixelFormat.name(of: $0.code)) }
  }
}
