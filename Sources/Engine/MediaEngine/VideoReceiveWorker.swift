import LinuxIO
import MediaBase
import VPXCodec

/// What belongs to the decode thread alone: decoders, and where their pictures go.
final class VideoReceiveWorker {
  private final class Stream {
    let handle: ConnectionHandle
    let canvasKey: CanvasKey
    var decoder: VP8Decoder?
    var lastFrame: MediaInstant?
    /// Whether the present series of pictures has been given to the present canvases.
    var hasRendered = false
    var rotation = 0
    var totals = VideoReceiveTotals()

    init(handle: ConnectionHandle, uid: UInt) {
      self.handle = handle
      canvasKey = CanvasKey(handle: handle, uid: uid)
    }
  }

  struct DecodeResult {
    var totals: VideoReceiveTotals?
    var needsKeyFrame = false
  }

  private var streams: [StreamID: Stream] = [:]
  private var canvases: [CanvasKey: [CanvasBinding]] = [:]
  private let snapshots: SnapshotDesk
  private let registry: CallbackRegistry
  private let hooks: VideoReceivePipeline.Hooks

  /// After a pause of this length the next picture counts as a first one again.
  private static let firstFrameAgain = MediaDuration.milliseconds(15_000)

  init(registry: CallbackRegistry, hooks: VideoReceivePipeline.Hooks, snapshots: SnapshotDesk) {
    self.snapshots = snapshots
    self.registry = registry
    self.hooks = hooks
  }

  func perform(_ job: VideoReceivePipeline.Job) {
    switch job {
    case .open(let id, let handle): streams[id] = Stream(handle: handle, uid: id.uid)
    case .close(let id, let unbinds):
      guard let stream = streams.removeValue(forKey: id), unbinds else { return }
      unbind(stream.canvasKey)
    case .bind(let key, let change): bind(key, change)
    case .unbindConnection(let connection):
      for key in canvases.keys where key.connection == connection { unbind(key) }
    case .frame: break
    }
  }

  private func bind(_ key: CanvasKey, _ change: CanvasChange) {
    var bindings = canvases[key] ?? []
    for renderer in change.apply(to: &bindings) { registry.call { renderer.finish() } }
    canvases[key] = bindings.isEmpty ? nil : bindings
    if case .remove = change { return }
    for stream in streams.values where stream.canvasKey == key { stream.hasRendered = false }
  }

  private func unbind(_ key: CanvasKey) {
    for binding in canvases.removeValue(forKey: key) ?? [] { registry.call { binding.renderer.finish() } }
  }

  func decode(
    _ frame: EncodedVideoFrame, stream id: StreamID, receiveTime: MediaInstant,
    observers: VideoReceivePipeline.Observers
  ) -> DecodeResult {
    guard let stream = streams[id] else { return DecodeResult() }
    if let observer = observers.encoded {
      let observed = RemoteEncodedVideoFrame(
        connection: stream.handle.connection, uid: id.uid, frame: frame, receiveTime: receiveTime)
      registry.call { observer(observed) }
    }
    let start = MonotonicClock.now()
    let picture: VideoFrame?
    do throws(VPXCodecError) {
      if stream.decoder == nil { stream.decoder = try VP8Decoder() }
      picture = try stream.decoder?.decode(frame)
    } catch {
      // Whatever was wrong with the data, a new decoder and a key frame put it right.
      stream.decoder = nil
      return DecodeResult(needsKeyFrame: true)
    }
    guard let picture else { return DecodeResult() }
    let end = MonotonicClock.now()
    picture.captureTime = end
    let isFirst = stream.lastFrame.map { end - $0 >= Self.firstFrameAgain } ?? true
    stream.lastFrame = end
    if isFirst {
      stream.hasRendered = false
      hooks.firstDecoded(stream.handle, id.uid, picture)
    }
    if (picture.width, picture.height, picture.rotation) != (stream.totals.width, stream.totals.height, stream.rotation)
    {
      stream.rotation = picture.rotation
      hooks.sizeChanged(stream.handle, id.uid, picture)
    }
    show(picture, of: stream, uid: id.uid, receiveTime: receiveTime, duration: end - start, observers: observers)
    stream.totals.decodedFrames += 1
    stream.totals.decodeSeconds += (end - start).seconds
    stream.totals.noteHold(end - receiveTime)
    stream.totals.width = picture.width
    stream.totals.height = picture.height
    return DecodeResult(totals: stream.totals)
  }

  private func show(
    _ decoded: VideoFrame, of stream: Stream, uid: UInt, receiveTime: MediaInstant, duration: MediaDuration,
    observers: VideoReceivePipeline.Observers
  ) {
    var picture = decoded
    if let tap = observers.tap {
      guard let tapped = tap.rendering(decoded, stream.handle.connection, uid, registry) else { return }
      picture = tapped
    }
    if let observer = observers.decoded {
      let observed = RemoteVideoFrame(
        connection: stream.handle.connection, uid: uid, frame: picture, receiveTime: receiveTime,
        decodeDuration: duration)
      registry.call { observer(observed) }
    }
    snapshots.offer(picture, of: StreamID(connectionID: stream.handle.id, uid: uid))
    guard let bindings = canvases[stream.canvasKey] else { return }
    for binding in bindings { registry.call { binding.show(picture) } }
    guard !stream.hasRendered else { return }
    stream.hasRendered = true
    hooks.firstRendered(stream.handle, uid, picture)
  }

  func finish() {
    for key in Array(canvases.keys) { unbind(key) }
    streams.removeAll()
  }
}
