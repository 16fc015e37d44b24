import MediaBase

/// A video frame delegate with what it said of itself when it was set.
final class VideoFrameTap: Sendable {
  private let positions: VideoFramePosition
  private let mode: FrameProcessMode
  private weak let delegate: (any RTCVideoFrameDelegate)?
  /// Copies that the delegate may write into; one for each position, since sizes differ.
  private let pools = (VideoFramePool(), VideoFramePool(), VideoFramePool())

  init(_ delegate: any RTCVideoFrameDelegate) {
    self.delegate = delegate
    positions = delegate.observedFramePositions
    mode = delegate.videoFrameProcessMode
  }

  func captured(_ frame: VideoFrame, _ registry: CallbackRegistry) -> VideoFrame? {
    offer(frame, .postCapture, pools.0, registry) { $0.onCaptureVideoFrame($1) }
  }

  func encoding(_ frame: VideoFrame, _ registry: CallbackRegistry) -> VideoFrame? {
    offer(frame, .preEncode, pools.1, registry) { $0.onPreEncodeVideoFrame($1) }
  }

  func rendering(
    _ frame: VideoFrame, _ connection: RTCConnection, _ uid: UInt, _ registry: CallbackRegistry
  ) -> VideoFrame? {
    offer(frame, .preRender, pools.2, registry) { $0.onRenderVideoFrame($1, connection: connection, uid: uid) }
  }

  /// What goes on in the frame's place.
  private func offer(
    _ frame: VideoFrame, _ position: VideoFramePosition, _ pool: VideoFramePool, _ registry: CallbackRegistry,
    _ body: (any RTCVideoFrameDelegate, VideoFrame) -> VideoFrame?
  ) -> VideoFrame? {
    guard positions.contains(position), let delegate else { return frame }
    let offered = mode == .readWrite ? frame.copy(from: pool) : frame
    var answer: VideoFrame?
    registry.call { answer = body(delegate, offered) }
    return mode == .readWrite ? answer : frame
  }
}

extension VideoFrame {
  /// The same picture in memory of its own.
  fileprivate func copy(from pool: VideoFramePool) -> VideoFrame {
    let copy = pool.frame(width: width, height: height, captureTime: captureTime)
    copy.rotation = rotation
    // Frames of one size have one layout.
    copy.planeY.update(from: planeY, count: strideY * height)
    copy.planeU.update(from: planeU, count: strideUV * chromaHeight)
    copy.planeV.update(from: planeV, count: strideUV * chromaHeight)
    return copy
  }
}
