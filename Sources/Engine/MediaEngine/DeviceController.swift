import LinuxIO
import MediaBase
import Synchronization

/// Starts and stops camera, microphone and playout on a thread of its own, since devices take their time.
///
/// A device that is no longer wanted runs on for a moment: an application that turns the camera off and on again between
/// two calls does not lose the time that opening it takes. What it delivers meanwhile is dropped by the pipelines.
final class DeviceController: Sendable {
  struct Hooks: Sendable {
    var videoFrame: @Sendable (VideoFrame) -> Void
    var audioFrame: @Sendable (AudioFrame) -> Void
    var playout: @Sendable (UnsafeMutableBufferPointer<Int16>) -> Void
    var videoFailed: @Sendable (MediaDeviceError) -> Void
    var audioFailed: @Sendable (MediaDeviceError) -> Void
    var playoutFailed: @Sendable (MediaDeviceError) -> Void
    /// A device that goes on by itself is away, or (`nil`) is back.
    var videoInterrupted: @Sendable (MediaDeviceError?) -> Void
    var audioInterrupted: @Sendable (MediaDeviceError?) -> Void
    var playoutInterrupted: @Sendable (MediaDeviceError?) -> Void
  }

  private struct State: Sendable {
    var videoSource: (any VideoSource)?
    var plan = DevicePlan()
    var plays = false
    var videoFailed = false
    var audioFailed = false
    var playoutFailed = false
  }

  private static let lingerMilliseconds = 500

  private let audioSource: (any AudioSource)?
  private let playout: any AudioPlayout
  private let fallbackPlayout: any AudioPlayout
  private let hooks: Hooks
  private let registry: CallbackRegistry
  private let mailbox: Mailbox<State>
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  init(
    videoSource: (any VideoSource)?, audioSource: (any AudioSource)?, playout: any AudioPlayout,
    fallbackPlayout: any AudioPlayout, hooks: Hooks, registry: CallbackRegistry
  ) {
    mailbox = Mailbox(State(videoSource: videoSource))
    self.audioSource = audioSource
    self.playout = playout
    self.fallbackPlayout = fallbackPlayout
    self.hooks = hooks
    self.registry = registry
  }

  func start() {
    thread.withLock { thread in
      thread = WorkerThread(name: "rtc-devices") { [self] in registry.call { run() } }
    }
  }

  /// Stops every device, ends the thread and waits for it.
  func stop() {
    mailbox.close()
    thread.withLock { $0.take() }?.join()
  }

  /// Takes pictures from another camera from now on; the one before is closed, and to be let go of by the caller.
  func switchVideo(to source: any VideoSource) -> (any VideoSource)? {
    var old: (any VideoSource)?
    mailbox.post { state in
      old = state.videoSource
      state.videoSource = source
    }
    return old
  }

  func apply(_ plan: DevicePlan) { mailbox.post { $0.plan = plan } }

  /// Whether there is remote sound to play.
  func setPlaying(_ plays: Bool) { mailbox.post { $0.plays = plays } }

  private func run() {
    var running = Running()
    (audioSource as? any RecoveringSource)?.setInterruptionObserver(hooks.audioInterrupted)
    (playout as? any RecoveringSource)?.setInterruptionObserver(hooks.playoutInterrupted)
    while true {
      let wanted =
        running.hasLeftovers
        ? mailbox.wait(atMost: Self.lingerMilliseconds) { Self.take(&$0) }
        : mailbox.wait { Self.take(&$0) }
      guard let wanted else { break }
      follow(wanted.videoSource, &running)
      stopFailed(wanted, &running)
      runVideo(wanted.plan.video, attempt: wanted.plan.videoAttempt, &running)
      runAudio(wanted.plan.audio, attempt: wanted.plan.audioAttempt, &running)
      runPlayout(wanted.plays || wanted.plan.playsEchoTest, &running)
    }
    if running.video != nil { running.videoSource?.stop() }
    if running.audio { audioSource?.stop() }
    running.playout?.stop()
  }

  /// Another camera takes the place of the one at hand. A camera may have only one user: the old one is closed first.
  private func follow(_ source: (any VideoSource)?, _ running: inout Running) {
    guard source !== running.videoSource else { return }
    (running.videoSource as? any RecoveringSource)?.setInterruptionObserver(nil)
    if running.video != nil { running.videoSource?.stop() }
    running.video = nil
    running.videoIdle = nil
    running.failedVideo = nil
    running.videoSource = source
    (source as? any RecoveringSource)?.setInterruptionObserver(hooks.videoInterrupted)
  }

  private static func take(_ state: inout State) -> State {
    defer {
      state.videoFailed = false
      state.audioFailed = false
      state.playoutFailed = false
    }
    return state
  }

  /// What has failed is stopped, and started again only when it is asked for anew: `DevicePlan` counts that, so that it is
  /// seen however much has happened meanwhile.
  private func stopFailed(_ state: State, _ running: inout Running) {
    if state.videoFailed, running.video != nil {
      running.videoSource?.stop()
      running.video = nil
      running.videoIdle = nil
      running.failedVideo = running.videoAttempt
    }
    if state.audioFailed, running.audio {
      audioSource?.stop()
      running.audio = false
      running.audioIdle = nil
      running.failedAudio = running.audioAttempt
    }
    if state.playoutFailed, let failed = running.playout {
      failed.stop()
      running.playout = nil
      running.playoutIdle = nil
      running.playoutFailed = true
    }
  }

  /// What runs now. `…Idle` says since when it has not been wanted.
  private struct Running {
    var videoSource: (any VideoSource)?
    var video: VideoCaptureFormat?
    var audio = false
    var playout: (any AudioPlayout)?
    var videoIdle: MediaInstant?
    var audioIdle: MediaInstant?
    var playoutIdle: MediaInstant?
    /// As which attempt a device was started last (`DevicePlan`), and which attempt has failed.
    var videoAttempt = 0
    var audioAttempt = 0
    var failedVideo: Int?
    var failedAudio: Int?
    /// Failed since it was last not wanted: not tried again.
    var playoutFailed = false

    var hasLeftovers: Bool { videoIdle != nil || audioIdle != nil || playoutIdle != nil }
  }

  /// Whether a device that has not been wanted since `idle` has lingered long enough; notes the first time.
  private func lingered(_ idle: inout MediaInstant?) -> Bool {
    let now = MonotonicClock.now()
    guard let since = idle else {
      idle = now
      return false
    }
    guard now - since >= .milliseconds(Int64(Self.lingerMilliseconds) - 50) else { return false }
    idle = nil
    return true
  }

  private func runVideo(_ wanted: VideoCaptureFormat?, attempt: Int, _ running: inout Running) {
    guard let wanted else {
      running.failedVideo = nil
      if running.video != nil, lingered(&running.videoIdle) {
        running.videoSource?.stop()
        running.video = nil
      }
      return
    }
    running.videoIdle = nil
    guard let videoSource = running.videoSource, running.failedVideo != attempt else { return }
    if let format = running.video {
      // A larger or faster format needs a new start; a smaller one is met by scaling.
      guard wanted.width > format.width || wanted.height > format.height || wanted.frameRate > format.frameRate else {
        return
      }
      videoSource.stop()
      running.video = nil
    }
    running.videoAttempt = attempt
    do throws(MediaDeviceError) {
      try videoSource.start(format: wanted, sink: hooks.videoFrame) { [self] error in
        // News of a camera that has been left meanwhile do not count.
        mailbox.post { $0.videoFailed = $0.videoFailed || $0.videoSource === videoSource }
        hooks.videoFailed(error)
      }
      running.video = wanted
    } catch {
      running.failedVideo = attempt
      hooks.videoFailed(error)
    }
  }

  private func runAudio(_ wanted: Bool, attempt: Int, _ running: inout Running) {
    guard wanted else {
      running.failedAudio = nil
      if running.audio, lingered(&running.audioIdle) {
        audioSource?.stop()
        running.audio = false
      }
      return
    }
    running.audioIdle = nil
    guard let audioSource, !running.audio, running.failedAudio != attempt else { return }
    running.audioAttempt = attempt
    do throws(MediaDeviceError) {
      try audioSource.start(sink: hooks.audioFrame) { [self] error in
        mailbox.post { $0.audioFailed = true }
        hooks.audioFailed(error)
      }
      running.audio = true
    } catch {
      running.failedAudio = attempt
      hooks.audioFailed(error)
    }
  }

  private func runPlayout(_ wanted: Bool, _ running: inout Running) {
    guard wanted else {
      running.playoutFailed = false
      if running.playout != nil, lingered(&running.playoutIdle) {
        running.playout?.stop()
        running.playout = nil
      }
      return
    }
    running.playoutIdle = nil
    guard running.playout == nil else { return }
    if !running.playoutFailed {
      do throws(MediaDeviceError) {
        try startPlayout(playout)
        running.playout = playout
        return
      } catch {
        running.playoutFailed = true
        hooks.playoutFailed(error)
      }
    }
    // The clock alone keeps decoding and observers going.
    if (try? startPlayout(fallbackPlayout)) != nil { running.playout = fallbackPlayout }
  }

  private func startPlayout(_ playout: any AudioPlayout) throws(MediaDeviceError) {
    try playout.start(fill: hooks.playout) { [self] error in
      mailbox.post { $0.playoutFailed = true }
      hooks.playoutFailed(error)
    }
  }
}
