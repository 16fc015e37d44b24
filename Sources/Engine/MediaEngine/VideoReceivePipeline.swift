import LinuxIO
import MediaBase
import Synchronization

/// From complete frames to pictures: one thread that decodes all remote video in the order in which it came and hands
/// every picture on at once.
final class VideoReceivePipeline: Sendable {
  struct Hooks: Sendable {
    /// A stream cannot go on without a key frame.
    var keyFrameNeeded: @Sendable (StreamID) -> Void
    /// The first picture of a user, or the first after a long pause.
    var firstDecoded: @Sendable (ConnectionHandle, UInt, VideoFrame) -> Void
    /// The first of these pictures, or of a new canvas, that has been given to a canvas.
    var firstRendered: @Sendable (ConnectionHandle, UInt, VideoFrame) -> Void
    /// A user's pictures have another size or rotation.
    var sizeChanged: @Sendable (ConnectionHandle, UInt, VideoFrame) -> Void
  }

  enum Job: Sendable {
    case open(StreamID, ConnectionHandle)
    /// `unbinds` lets go of the user's canvas too: the user has left, not this side, which may have bound a new one by now.
    case close(StreamID, unbinds: Bool)
    case frame(StreamID, EncodedVideoFrame, receiveTime: MediaInstant)
    case bind(CanvasKey, CanvasChange)
    case unbindConnection(RTCConnection?)
  }

  /// What the network thread must know of a stream's queue.
  struct Backlog: Sendable {
    var frameCount = 0
    var waitsForKeyFrame = false
    var dropped = 0
    var totals = VideoReceiveTotals()
  }

  /// Closures of the application that see every frame.
  struct Observers: Sendable {
    var encoded: EncodedObserver?
    var tap: VideoFrameTap?
    var decoded: Observer?
  }

  private struct State: Sendable {
    var jobs: [Job] = []
    var backlogs: [StreamID: Backlog] = [:]
    var observers = Observers()
  }

  /// With so many frames of one stream waiting, decoding is hopelessly behind: go on at the next key frame.
  static let longestQueue = 12

  private let mailbox = Mailbox(State())
  private let hooks: Hooks
  private let registry: CallbackRegistry
  private let snapshots: SnapshotDesk
  private let thread: Mutex<WorkerThread?> = Mutex(nil)

  init(hooks: Hooks, registry: CallbackRegistry, snapshots: SnapshotDesk) {
    self.hooks = hooks
    self.snapshots = snapshots
    self.registry = registry
  }

  func start() {
    thread.withLock { thread in
      thread = WorkerThread(name: "rtc-decode") { [self] in registry.call { run() } }
    }
  }

  /// Ends the thread and waits for it.
  func stop() {
    mailbox.close()
    thread.withLock { $0.take() }?.join()
  }

  typealias Observer = @Sendable (RemoteVideoFrame) -> Void
  typealias EncodedObserver = @Sendable (RemoteEncodedVideoFrame) -> Void

  /// The observer before, to be let go of by the caller.
  func setObserver(_ observer: Observer?) -> Observer? { mailbox.exchange(\.observers.decoded, observer) }

  /// The observer before, to be let go of by the caller.
  func setEncodedObserver(_ observer: EncodedObserver?) -> EncodedObserver? {
    mailbox.exchange(\.observers.encoded, observer)
  }

  /// Changes who sees pictures before they are shown.
  func setTap(_ tap: VideoFrameTap?) { mailbox.access { $0.observers.tap = tap } }

  func post(_ job: Job) {
    mailbox.post { state in
      switch job {
      case .open(let id, _): state.backlogs[id] = Backlog()
      case .close(let id, _): state.backlogs[id] = nil
      default: break
      }
      state.jobs.append(job)
    }
  }

  /// Takes a complete frame from the network thread; false if a key frame must be asked for, because this one was dropped
  /// or had to push others out.
  func push(_ frame: EncodedVideoFrame, stream id: StreamID, receiveTime: MediaInstant) -> Bool {
    var goesOn = true
    mailbox.post { state in
      guard var backlog = state.backlogs[id] else { return }
      defer { state.backlogs[id] = backlog }
      if backlog.waitsForKeyFrame, !frame.isKeyFrame {
        backlog.dropped += 1
        return
      }
      if backlog.frameCount >= Self.longestQueue {
        state.jobs.removeAll { if case .frame(id, _, _) = $0 { true } else { false } }
        backlog.dropped += backlog.frameCount
        backlog.frameCount = 0
        if !frame.isKeyFrame {
          backlog.waitsForKeyFrame = true
          backlog.dropped += 1
          goesOn = false
          return
        }
      }
      backlog.waitsForKeyFrame = false
      backlog.frameCount += 1
      state.jobs.append(.frame(id, frame, receiveTime: receiveTime))
    }
    return goesOn
  }

  /// Totals of a stream: what was decoded, and how many frames were dropped before.
  func totals(of id: StreamID) -> (decoded: VideoReceiveTotals, dropped: Int)? {
    mailbox.access { state in state.backlogs[id].map { ($0.totals, $0.dropped) } }
  }

  private func run() {
    let worker = VideoReceiveWorker(registry: registry, hooks: hooks, snapshots: snapshots)
    while let work = mailbox.wait({ state in
      defer { state.jobs.removeAll() }
      return (state.jobs, state.observers)
    }) {
      for job in work.0 { perform(job, worker, observers: work.1) }
    }
    worker.finish()
  }

  private func perform(_ job: Job, _ worker: VideoReceiveWorker, observers: Observers) {
    guard case .frame(let id, let frame, let receiveTime) = job else { return worker.perform(job) }
    // A backlog that was given up while this batch was taken is not decoded any more.
    let isWanted = mailbox.access { state in
      guard let backlog = state.backlogs[id] else { return false }
      state.backlogs[id]?.frameCount = max(0, backlog.frameCount - 1)
      return true
    }
    guard isWanted else { return }
    let result = worker.decode(frame, stream: id, receiveTime: receiveTime, observers: observers)
    mailbox.access { state in
      if let totals = result.totals { state.backlogs[id]?.totals = totals }
      if result.needsKeyFrame { state.backlogs[id]?.waitsForKeyFrame = true }
    }
    if result.needsKeyFrame { hooks.keyFrameNeeded(id) }
  }
}
