import LinuxIO
import MediaBase
import PictureFilters
import Synchronization
import VPXCodec

/// From the camera to encoded frames: one thread that takes the newest picture, encodes it once for each configuration
/// that is published, and shows it on the local canvas. Pictures of the application's own tracks are encoded beside it.
final class VideoSendPipeline: Sendable {
  /// What one encoder makes.
  struct Encoding: Hashable, Sendable {
    var configuration: VideoEncoderConfiguration
    /// Whether it is the smaller one of two streams.
    var isLow = false
    /// Whose pictures.
    var track = LocalVideoTrack.camera.id
  }

  /// Connections that publish the same encoding.
  struct Target: Equatable, Sendable {
    var encoding: Encoding
    var connectionIDs: [Int]
    /// What all of them can send, in kilobits per second; `nil` if that is not known.
    var bitrate: Int?
  }

  private struct KeyFrameWish: Hashable, Sendable {
    var connectionID: Int
    var isLow: Bool
  }

  /// Where results go; all are called on the encode thread except `captured`, which is called on the camera's.
  struct Hooks: Sendable {
    var firstCaptured: @Sendable (VideoFrame) -> Void
    /// Pictures have another size or rotation.
    var sizeChanged: @Sendable (VideoFrame) -> Void
    var firstEncoded: @Sendable () -> Void
    var encoded: @Sendable (EncodedVideoFrame, Target) -> Void
    /// Whose pictures, and why.
    var failed: @Sendable (Int, String) -> Void
  }

  private static let camera = LocalVideoTrack.camera.id

  private struct State: Sendable {
    /// The newest picture of each track.
    var frames: [Int: VideoFrame] = [:]
    /// The application's own.
    var tracks: Set<Int> = []
    var isCapturing = false
    var hasCaptured = false
    var hasEncoded = false
    var targets: [Target] = []
    var keyFrameFor: Set<KeyFrameWish> = []
    var canvases: [CanvasBinding] = []
    var processor: RTCEngine.VideoFrameProcessor?
    var beauty: BeautyOptions?
    var tap: VideoFrameTap?
    var observer: Observer?
    var retired: [any VideoRenderer] = []
    var totals = LocalMediaStatistics()
    var encodings: [Encoding: EncodingTotals] = [:]
    var captures: [Int: CaptureTotals] = [:]
    var showsLast = false
    var size = (width: 0, height: 0, rotation: 0)

    /// What is to be done with a picture that has just been captured; `nil` if it does not count.
    mutating func take(_ frame: VideoFrame) -> Taking? {
      guard isCapturing else { return nil }
      let newSize = (width: frame.width, height: frame.height, rotation: frame.rotation)
      defer {
        hasCaptured = true
        size = newSize
      }
      return Taking(
        isFirst: !hasCaptured, isResized: newSize != size, processor: processor, beauty: beauty, tap: tap,
        observer: observer)
    }

    /// A picture waits to be encoded, in the place of one that still does.
    mutating func enter(_ frame: VideoFrame, of track: Int, now: MediaInstant) {
      let hasReplaced = frames.updateValue(frame, forKey: track) != nil
      captures[track, default: CaptureTotals()].count(frame, hasReplaced: hasReplaced, now: now)
    }
  }

  private struct Taking: Sendable {
    var isFirst: Bool
    var isResized: Bool
    var processor: RTCEngine.VideoFrameProcessor?
    var beauty: BeautyOptions?
    var tap: VideoFrameTap?
    var observer: Observer?
  }

  private struct Work: Sendable {
    var frames: [Int: VideoFrame]
    var tracks: Set<Int>
    var targets: [Target]
    var keyFrameFor: Set<KeyFrameWish>
    var canvases: [CanvasBinding]
    var retired: [any VideoRenderer]
    var tap: VideoFrameTap?
    var isFresh: Bool
  }

  private let mailbox = Mailbox(State())
  /// Used by the camera's thread alone: held while a picture is filtered, so that no call may wait for it.
  private let beauty = Mutex<BeautyFilter?>(nil)
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
      thread = WorkerThread(name: "rtc-encode") { [self] in registry.call { run() } }
    }
  }

  /// Ends the thread and waits for it.
  func stop() {
    mailbox.close()
    thread.withLock { $0.take() }?.join()
  }

  /// Whether pictures count: off, whatever the camera still delivers is dropped.
  func setCapturing(_ isCapturing: Bool) {
    mailbox.access { state in
      state.isCapturing = isCapturing
      state.hasCaptured = false
      state.hasEncoded = false
      if !isCapturing {
        state.frames[Self.camera] = nil
        state.captures[Self.camera]?.brightness.reset()
      }
    }
  }

  /// The next encoded picture is told as the first is.
  func tellNextEncoded() { mailbox.access { $0.hasEncoded = false } }

  typealias Observer = @Sendable (VideoFrame) -> Void

  /// The observer before, to be let go of by the caller.
  func setObserver(_ observer: Observer?) -> Observer? { mailbox.exchange(\.observer, observer) }

  /// Changes who sees pictures after capture and before encoding.
  func setTap(_ tap: VideoFrameTap?) { mailbox.access { $0.tap = tap } }

  /// Changes what every picture is put through before anything else sees it. What that was before is to be let go of by the
  /// caller.
  func setProcessor(_ processor: RTCEngine.VideoFrameProcessor?) -> RTCEngine.VideoFrameProcessor? {
    mailbox.exchange(\.processor, processor)
  }

  /// Changes how faces and light are changed from the next picture on, after the application's own processor.
  func setBeauty(_ options: BeautyOptions?) { mailbox.access { $0.beauty = options } }

  func changeCanvases(_ change: CanvasChange) {
    mailbox.post { state in
      state.retired += change.apply(to: &state.canvases)
      state.showsLast = !state.canvases.isEmpty
    }
  }

  /// What to encode for whom from now on. A picture that was captured just before is sent at once: whoever begins to
  /// publish does not wait for the next one.
  func setTargets(_ targets: [Target]) { mailbox.post { $0.targets = targets } }

  /// The next picture for this connection, or of its smaller stream, is a key frame. Before it is a target, the request
  /// waits.
  func requestKeyFrame(for connectionID: Int, isLow: Bool = false) {
    mailbox.access { _ = $0.keyFrameFor.insert(KeyFrameWish(connectionID: connectionID, isLow: isLow)) }
  }

  /// Requests for a connection that has ended wait for nothing.
  func forget(connectionID: Int) {
    mailbox.access { $0.keyFrameFor = $0.keyFrameFor.filter { $0.connectionID != connectionID } }
  }

  /// The engine's totals, with what one of its encoders makes.
  func totals(of encoding: Encoding) -> LocalMediaStatistics {
    mailbox.access { state in
      var totals = state.totals
      state.captures[encoding.track]?.add(to: &totals)
      totals.encodingName = encoding
      totals.encoding = state.encodings[encoding] ?? EncodingTotals()
      return totals
    }
  }

  /// Which tracks the application has.
  func setTracks(_ tracks: Set<Int>) {
    mailbox.post { state in
      state.tracks = tracks
      state.captures = state.captures.filter { $0.key == Self.camera || tracks.contains($0.key) }
      state.frames = state.frames.filter { $0.key == Self.camera || tracks.contains($0.key) }
    }
  }

  /// Takes a picture of one of the application's tracks; whether there is that track.
  func push(_ frame: VideoFrame, track: Int, now: MediaInstant) -> Bool {
    var isKnown = false
    mailbox.post { state in
      isKnown = state.tracks.contains(track)
      if isKnown { state.enter(frame, of: track, now: now) }
    }
    return isKnown
  }

  /// Takes a picture from the camera, on the camera's thread.
  func push(_ frame: VideoFrame) { registry.call { take(frame) } }

  private func take(_ frame: VideoFrame) {
    guard let taking = mailbox.access({ $0.take(frame) }) else { return }
    guard var processed = process(frame, taking.processor) else { return }
    if let tap = taking.tap {
      guard let tapped = tap.captured(processed, registry) else { return }
      processed = tapped
    }
    let frame = beautified(processed, taking.beauty)
    if let observer = taking.observer { registry.call { observer(frame) } }
    let now = MonotonicClock.now()
    mailbox.post { $0.enter(frame, of: Self.camera, now: now) }
    if taking.isFirst { hooks.firstCaptured(frame) }
    if taking.isResized { hooks.sizeChanged(frame) }
  }

  private func beautified(_ frame: VideoFrame, _ options: BeautyOptions?) -> VideoFrame {
    beauty.withLock { filter in
      guard let options else {
        filter = nil
        return frame
      }
      let present = filter.flatMap { $0.options == options ? $0 : nil } ?? BeautyFilter(options)
      filter = present
      return present.filter(frame)
    }
  }

  private func process(_ frame: VideoFrame, _ processor: RTCEngine.VideoFrameProcessor?) -> VideoFrame? {
    guard let processor else { return frame }
    var processed: VideoFrame?
    registry.call { processed = processor(frame) }
    return processed
  }

  private func run() {
    let worker = Worker(pipeline: self)
    while let work = next() { worker.process(work) }
    mailbox.access { state in
      let renderers = state.retired + state.canvases.map(\.renderer)
      state.canvases = []
      state.retired = []
      return renderers
    }.forEach { renderer in registry.call { renderer.finish() } }
  }

  private func next() -> Work? {
    mailbox.wait { state in
      defer {
        state.frames.removeAll(keepingCapacity: true)
        state.retired = []
        state.showsLast = false
        for target in state.targets {
          for id in target.connectionIDs {
            state.keyFrameFor.remove(KeyFrameWish(connectionID: id, isLow: target.encoding.isLow))
          }
        }
      }
      return Work(
        frames: state.frames, tracks: state.tracks, targets: state.targets, keyFrameFor: state.keyFrameFor,
        canvases: state.canvases, retired: state.retired, tap: state.tap, isFresh: state.showsLast)
    }
  }
}

extension VideoSendPipeline {
  /// What belongs to the encode thread alone.
  private final class Worker {
    private let pipeline: VideoSendPipeline
    private var slots: [Encoding: VideoEncoderSlot] = [:]
    /// The newest picture of each track, until it has been encoded for somebody.
    private var unsent: [Int: VideoFrame] = [:]
    private var last: VideoFrame?

    /// A picture that is older than this is not worth sending to somebody who has just begun to publish.
    private static let freshness = MediaDuration.milliseconds(50)

    init(pipeline: VideoSendPipeline) { self.pipeline = pipeline }

    func process(_ work: Work) {
      for renderer in work.retired { pipeline.registry.call { renderer.finish() } }
      for target in work.targets
      where target.connectionIDs.contains(where: {
        work.keyFrameFor.contains(KeyFrameWish(connectionID: $0, isLow: target.encoding.isLow))
      }) {
        slot(for: target.encoding).requestKeyFrame()
      }
      if slots.count > work.targets.count + 2 {
        let used = Set(work.targets.map(\.encoding))
        slots = slots.filter { used.contains($0.key) }
      }
      let captured = work.frames[VideoSendPipeline.camera]
      if let captured { last = captured }
      unsent.merge(work.frames) { $1 }
      unsent = unsent.filter { $0.key == VideoSendPipeline.camera || work.tracks.contains($0.key) }
      for (track, frame) in unsent {
        let targets = work.targets.filter { $0.encoding.track == track }
        guard !targets.isEmpty else { continue }
        unsent[track] = nil
        if MonotonicClock.now() - frame.captureTime < Self.freshness || work.frames[track] != nil {
          encode(frame, for: targets, tap: track == VideoSendPipeline.camera ? work.tap : nil)
        }
      }
      guard let frame = captured ?? (work.isFresh ? last : nil) else { return }
      for canvas in work.canvases { pipeline.registry.call { canvas.show(frame) } }
      if !work.canvases.isEmpty { pipeline.mailbox.access { $0.totals.shownFrames += 1 } }
    }

    private func slot(for encoding: Encoding) -> VideoEncoderSlot {
      if let slot = slots[encoding] { return slot }
      let slot = VideoEncoderSlot(configuration: encoding.configuration)
      slots[encoding] = slot
      return slot
    }

    private func encode(_ captured: VideoFrame, for targets: [Target], tap: VideoFrameTap?) {
      var frame = captured
      if let tap {
        guard let tapped = tap.encoding(captured, pipeline.registry) else { return }
        frame = tapped
      }
      for target in targets {
        let start = MonotonicClock.now()
        do throws(VPXCodecError) {
          let slot = slot(for: target.encoding)
          guard let encoded = try slot.encode(frame, availableBitrate: target.bitrate) else { continue }
          // Counted before it is sent: what is sent is never more than what is encoded.
          let isFirst = pipeline.count(
            encoded, of: target.encoding, plan: slot.plan, duration: MonotonicClock.now() - start)
          pipeline.hooks.encoded(encoded, target)
          guard !target.encoding.isLow else { continue }
          for id in target.connectionIDs { pipeline.snapshots.offer(frame, of: StreamID(connectionID: id, uid: 0)) }
          if isFirst { pipeline.hooks.firstEncoded() }
        } catch {
          slots[target.encoding] = nil
          pipeline.hooks.failed(target.encoding.track, "\(error)")
        }
      }
    }
  }

  /// Whether it is the first of the camera's large stream.
  private func count(
    _ frame: EncodedVideoFrame, of encoding: Encoding, plan: EncodingAdaptation.Plan?, duration: MediaDuration
  ) -> Bool {
    mailbox.access { state in
      state.encodings[encoding, default: EncodingTotals()].count(frame, plan)
      if state.encodings.count > state.targets.count + 4 {
        let used = Set(state.targets.map(\.encoding))
        state.encodings = state.encodings.filter { used.contains($0.key) }
      }
      guard !encoding.isLow else { return false }
      defer { if encoding.track == Self.camera { state.hasEncoded = true } }
      state.totals.encodedFrames += 1
      state.totals.encodedKeyFrames += frame.isKeyFrame ? 1 : 0
      state.totals.encodedBytes += frame.data.count
      state.totals.encodeSeconds += duration.seconds
      return encoding.track == Self.camera && !state.hasEncoded
    }
  }
}
