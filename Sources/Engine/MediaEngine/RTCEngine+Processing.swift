import EngineCore
import MediaBase
import PictureFilters

extension RTCEngine {
  /// Gives back the picture to go on with: the one that it was given, another one, or `nil` to drop it.
  public typealias VideoFrameProcessor = @Sendable (VideoFrame) -> VideoFrame?

  /// Puts every captured picture through a closure before observers, the preview and the encoder see it: a beauty filter, a
  /// watermark. Called on the camera's thread, so it must be quicker than the time between two pictures. Size and rotation
  /// of pictures may change at any time. `nil` ends it.
  @discardableResult public func setVideoFrameProcessor(_ processor: VideoFrameProcessor?) -> Int {
    exchange { $0.videoSend.setProcessor(processor) }
  }

  /// Lightens captured pictures, and smooths and reddens skin, before observers, the preview, snapshots and the encoder see
  /// them; after the `VideoFrameProcessor`, if there is one. About 2 ms for a picture of 1280x720 on one core.
  ///
  /// - Parameters:
  ///   - isEnabled: false ends it.
  ///   - options: what is changed, and how strongly.
  /// - Returns: 0, or -2 (`invalidArgument`) if a level is not 0 to 1; nothing changes then.
  @discardableResult public func setBeautyEffectOptions(
    _ isEnabled: Bool, options: BeautyOptions = BeautyOptions()
  ) -> Int {
    runtime.change { _, parts in
      guard options.isValid else { return .invalidArgument }
      parts.videoSend.setBeauty(isEnabled ? options : nil)
      return .ok
    }
  }
}
