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
  private var renderers: [CanvasKey: any VideoRenderer] = [:]
  private let registry: CallbackRegistry
  private let hooks: VideoReceivePipeline.Hooks

  /// After a pause of this length the next picture counts as a first one again.
  private static let firstFrameAgain = MediaDuration.milliseconds(15_000)

  init(registry: CallbackRegistry, hooks: VideoReceivePipeline.Hooks) {
    self.registry = registry
    self.hooks = hooks
  }

  func perform(_ job: VideoReceivePipeline.Job) {
    switch job {
    case .open(let id, let handle): streams[id] = Stream(handle: handle, uid: id.uid)
    case .close(let id, let unbinds):
      guard let stream = streams.removeValue(forKey: id), unbinds else { return }
      renderers.removeValue(forKey: stream.canvasKey)?.finish()
    case .bind(let key, let renderer):
      renderers.removeValue(forKey: key)?.finish()
      renderers[key] = renderer
    case .unbindConnection(let connection):
      for key in renderers.keys where key.connection == connection {
        renderers.removeValue(forKey: key)?.finish()
      }
    case .frame: break
    }
  }

  func decode(
    _ frame: EncodedVideoFrame, stream id: StreamID, receiveTime: MediaInstant,
    observer: (@Sendable (RemoteVideoFrame) -> Void)?
  ) -> DecodeResult {
    guard let stream = streams[id] else { return DecodeResult() }
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
    show(picture, of: stream, uid: id.uid, receiveTime: receiveTime, duration: end - start, observer: observer)
    stream.totals.decodedFrames += 1
    stream.totals.decodeSeconds += (end - start).seconds
    stream.totals.width = picture.width
    stream.totals.height = picture.height
    let isFirst = stream.lastFrame.map { end - $0 >= Self.firstFrameAgain } ?? true
    stream.lastFrame = end
    if isFirst { hooks.firstDecoded(stream.handle, id.uid, picture) }
    return DecodeResult(totals: stream.totals)
  }

  private func show(
    _ picture: VideoFrame, of stream: Stream, uid: UInt, receiveTime: MediaInstant, duration: MediaDuration,
    observer: (@Sendable (RemoteVideoFrame) -> Void)?
  ) {
    if let observer {
      let observed = RemoteVideoFrame(
        connection: stream.handle.connection, uid: uid, frame: picture, receiveTime: receiveTime,
        decodeDuration: duration)
      registry.call { observer(observed) }
    }
    if let renderer = renderers[stream.canvasKey] { registry.call { renderer.render(picture) } }
  }

  func finish() {
    for renderer in renderers.values { renderer.finish() }
    renderers.removeAll()
    streams.removeAll()
  }
}
