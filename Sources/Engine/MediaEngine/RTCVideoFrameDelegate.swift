public import MediaBase

/// Sees pictures on their way through the engine, and changes or drops them if its mode is `.readWrite`.
///
/// The methods are called on the engine's threads and hold up whatever comes behind them: they must be quicker than the
/// time between two pictures. Size and rotation of pictures may change at any time. In `.readOnly` frames are shared with
/// others and must not be written to; in `.readWrite` each is the delegate's own copy, which it may write into and give
/// back, as it may give back another one with the same `captureTime`.
public protocol RTCVideoFrameDelegate: AnyObject, Sendable {
  /// Which of the methods are called; asked for once, when the delegate is set. Unless implemented, after capture and before
  /// rendering.
  var observedFramePositions: VideoFramePosition { get }
  /// What the delegate may do; asked for once, when the delegate is set. Unless implemented, look.
  var videoFrameProcessMode: FrameProcessMode { get }

  /// A picture of the camera, on its thread; `nil` drops it for everybody.
  func onCaptureVideoFrame(_ frame: VideoFrame) -> VideoFrame?
  /// A picture that is about to be encoded, once for all encodings, on the encode thread; `nil` drops it for others, and the
  /// preview shows it.
  func onPreEncodeVideoFrame(_ frame: VideoFrame) -> VideoFrame?
  /// A remote user's picture that is about to be shown, on the decode thread; `nil` drops it for canvases, observers and
  /// snapshots.
  func onRenderVideoFrame(_ frame: VideoFrame, connection: RTCConnection, uid: UInt) -> VideoFrame?
}

extension RTCVideoFrameDelegate {
  /// After capture and before rendering.
  public var observedFramePositions: VideoFramePosition { [.postCapture, .preRender] }
  /// Looking.
  public var videoFrameProcessMode: FrameProcessMode { .readOnly }
  /// The frame as it is.
  public func onCaptureVideoFrame(_ frame: VideoFrame) -> VideoFrame? { frame }
  /// The frame as it is.
  public func onPreEncodeVideoFrame(_ frame: VideoFrame) -> VideoFrame? { frame }
  /// The frame as it is.
  public func onRenderVideoFrame(_ frame: VideoFrame, connection: RTCConnection, uid: UInt) -> VideoFrame? { frame }
}
