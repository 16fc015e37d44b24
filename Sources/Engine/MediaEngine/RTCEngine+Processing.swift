import EngineCore
import MediaBase

extension RTCEngine {
  /// Gives back the picture to go on with: the one that it was given, another one, or `nil` to drop it.
  public typealias VideoFrameProcessor = @Sendable (VideoFrame) -> VideoFrame?

  /// Puts every captured picture through a closure before observers, the preview and the encoder see it: a beauty filter, a
  /// watermark. Called on the camera's thread, so it must be quicker than the time between two pictures. Size and rotation
  /// of pictures may change at any time. `nil` ends it.
  @discardableResult public func setVideoFrameProcessor(_ processor: VideoFrameProcessor?) -> Int {
    runtime.change { _, parts in
      parts.videoSend.setProcessor(processor)
      return .ok
    }
  }
}
