import CDeviceShims
import Glibc
import LinuxIO
import MediaBase
import Synchronization

/// The thread of a shared camera: takes pictures, and waits for the camera to come back when it has gone.
final class CameraLoop: @unchecked Sendable {
  // @unchecked: made by one thread, then used by the one that runs it alone.

  /// Without a picture for so long, the camera counts as failed.
  private static let patience = MediaDuration.milliseconds(4_000)
  /// Errors in a row before the camera counts as failed; a single one may pass.
  private static let errorsBeforeFailure = 10
  /// While the camera is away, it is looked for this often, and whenever a device file appears.
  private static let searchInterval = MediaDuration.milliseconds(300)
  private static let repeatInterval = MediaDuration.milliseconds(1_000)

  private let shared: SharedCamera
  private let wake: WakeEvent
  private let followsAny: Bool
  private let identity: CameraIdentity
  private var camera: CameraHandle?
  /// The mode that was wished for when the camera was opened.
  private var wanted: VideoCaptureFormat
  private let pool = VideoFramePool()
  private let repeats = VideoFramePool(keepAtMost: 2)
  private var lastFrame: VideoFrame?
  private var lastPicture = MonotonicClock.now()
  private var lastSequence: UInt32?
  private var errors = 0
  /// Buffers that the driver does not have; it may refuse one for a moment.
  private var unqueued: [UInt32] = []
  /// What users were told last; `nil` while pictures come.
  private var interruption: MediaDeviceError?

  init(_ shared: SharedCamera, _ camera: CameraHandle, _ wake: WakeEvent, followsAny: Bool) {
    self.shared = shared
    self.camera = camera
    self.wake = wake
    self.followsAny = followsAny
    identity = camera.identity
    wanted =
      shared.state.withLock { $0.users.first?.wanted } ?? VideoCaptureFormat(width: 640, height: 480, frameRate: 30)
  }

  func run() {
    while !shared.state.withLock({ $0.isEnding }) {
      if let camera { capture(camera) } else { search() }
    }
  }

  // MARK: Capturing

  private func capture(_ camera: CameraHandle) {
    var descriptors = [
      pollfd(fd: wake.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: camera.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&descriptors, 2, 500)
    do throws(MediaDeviceError) {
      if descriptors[0].revents != 0 {
        wake.clear()
        try weighWishes(camera)
      } else if descriptors[1].revents != 0 {
        try take(camera)
      }
      guard MonotonicClock.now() - lastPicture < Self.patience else {
        throw camera.error(ETIMEDOUT, "waiting for a picture")
      }
    } catch {
      interrupt(error)
    }
  }

  /// A larger or faster mode for users who have come later; smaller wishes are met from the mode at hand.
  private func weighWishes(_ camera: CameraHandle) throws(MediaDeviceError) {
    let users = shared.state.withLock { state in
      defer { state.hasNewWishes = false }
      return state.hasNewWishes && !state.isEnding ? state.users : []
    }
    // Controls are of the camera and not of a user: the last who says something decides.
    for user in users { camera.apply(user.options) }
    let larger = users.reduce(wanted) { $0.union($1.wanted) }
    guard larger != wanted else { return }
    wanted = larger
    camera.stopStreaming()
    unqueued = []
    lastSequence = nil
    try camera.configure(larger)
    try camera.startStreaming()
    lastPicture = MonotonicClock.now()
  }

  private func take(_ camera: CameraHandle) throws(MediaDeviceError) {
    do throws(MediaDeviceError) {
      try giveBack(camera)
      guard let newest = try newest(camera) else { return }
      let frame = camera.picture(index: newest.index, byteCount: newest.byteCount, time: newest.time, pool: pool)
      unqueued.append(newest.index)
      let users = shared.state.withLock { state in
        if frame == nil { state.statistics.brokenPictures += 1 } else { state.statistics.deliveredPictures += 1 }
        return state.users
      }
      if let frame {
        errors = 0
        lastPicture = MonotonicClock.now()
        lastFrame = frame
        resume(users)
        for user in users { user.deliver(frame) }
      }
      try giveBack(camera)
    } catch {
      errors += 1
      if case .disconnected = error { throw error }
      guard errors < Self.errorsBeforeFailure else { throw error }
      // An error that persists would otherwise be asked for again at once.
      MonotonicClock.sleep(for: .milliseconds(10))
    }
  }

  /// The newest of the pictures that wait; older ones go back to the driver unseen.
  private func newest(
    _ camera: CameraHandle
  ) throws(MediaDeviceError) -> (index: UInt32, byteCount: Int, time: MediaInstant)? {
    var newest: (index: UInt32, byteCount: Int, time: MediaInstant)?
    for _ in 0..<camera.buffers.count {
      switch try camera.dequeue() {
      case .nothing: return newest
      case .broken(let index):
        unqueued.append(index)
        shared.state.withLock { $0.statistics.brokenPictures += 1 }
      case .picture(let index, let byteCount, let time, let sequence):
        let missing = lastSequence.map { sequence &- $0 &- 1 } ?? 0
        lastSequence = sequence
        shared.state.withLock { state in
          // A counter that goes backwards has begun anew.
          if missing < 1 << 16 { state.statistics.missingPictures += Int(missing) }
          if newest != nil { state.statistics.latePictures += 1 }
        }
        if let late = newest { unqueued.append(late.index) }
        newest = (index, byteCount, time)
      }
    }
    return newest
  }

  private func giveBack(_ camera: CameraHandle) throws(MediaDeviceError) {
    while let index = unqueued.last {
      try camera.enqueue(index)
      unqueued.removeLast()
    }
  }

  // MARK: Interruption

  private func interrupt(_ error: MediaDeviceError) {
    camera = nil
    unqueued = []
    lastSequence = nil
    errors = 0
    tell(error)
  }

  private func tell(_ error: MediaDeviceError) {
    guard interruption != error else { return }
    interruption = error
    for user in shared.state.withLock({ $0.users }) { user.tell(error) }
  }

  /// Pictures come again.
  private func resume(_ users: [CameraUser]) {
    guard interruption != nil else { return }
    interruption = nil
    for user in users { user.tell(nil) }
  }

  /// Waits until the camera is back and open, giving out the last picture now and then.
  private func search() {
    let watch = cds_watch_directory("/dev")
    defer { if watch >= 0 { close(watch) } }
    var nextRepeat = MonotonicClock.now() + Self.repeatInterval
    while camera == nil, !shared.state.withLock({ $0.isEnding }) {
      reopen()
      if camera != nil { break }
      let now = MonotonicClock.now()
      if now >= nextRepeat {
        nextRepeat = now + Self.repeatInterval
        repeatPicture(now)
      }
      waitForChange(watch)
    }
  }

  private func waitForChange(_ watch: Int32) {
    var descriptors = [
      pollfd(fd: wake.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&descriptors, watch >= 0 ? 2 : 1, Int32(Self.searchInterval.milliseconds))
    if descriptors[0].revents != 0 { wake.clear() }
    guard watch >= 0, descriptors[1].revents != 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(watch, &bytes, bytes.count) > 0 {}
  }

  private func reopen() {
    let users = shared.state.withLock { state in
      state.hasNewWishes = false
      return state.users
    }
    // Some may have come while the camera was away.
    for user in users { user.tell(interruption) }
    guard let path = place(), let options = users.first?.options else { return }
    wanted = users.reduce(wanted) { $0.union($1.wanted) }
    do throws(MediaDeviceError) {
      let camera = try CameraHandle(path: path)
      try camera.prepare(wanted, options)
      self.camera = camera
      lastPicture = MonotonicClock.now()
      shared.state.withLock { $0.statistics.restarts += 1 }
    } catch {
      // That it is still away has been told.
      switch error {
      case .notFound, .disconnected: break
      default: tell(error)
      }
    }
  }

  /// Where the camera is now: it may have come back under another number.
  private func place() -> String? {
    let present = CameraDevice.identities()
    if let same = present.first(where: { $0.path == shared.path && $0.identity == identity }) { return same.path }
    if let moved = present.first(where: { $0.identity == identity }) { return moved.path }
    if present.contains(where: { $0.path == shared.path }) { return shared.path }
    if followsAny, let other = present.first { return other.path }
    // A file that may not be opened has no identity; the attempt says why.
    return access(shared.path, F_OK) == 0 ? shared.path : nil
  }

  private func repeatPicture(_ now: MediaInstant) {
    let frame: VideoFrame
    if let lastFrame {
      frame = lastFrame.copy(at: now, pool: repeats)
    } else {
      frame = repeats.frame(
        width: min(max(wanted.width, 1), 16_384), height: min(max(wanted.height, 1), 16_384), captureTime: now)
      frame.fill(luma: 16)
    }
    let users = shared.state.withLock { state in
      state.statistics.repeatedPictures += 1
      return state.users
    }
    for user in users { user.deliver(frame) }
  }
}

extension VideoCaptureFormat {
  /// The least format that is enough for both.
  func union(_ other: VideoCaptureFormat) -> VideoCaptureFormat {
    VideoCaptureFormat(
      width: max(width, other.width), height: max(height, other.height), frameRate: max(frameRate, other.frameRate))
  }
}
