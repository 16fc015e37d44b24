import EngineCore
import LinuxIO
import MediaBase

extension RTCEngine {
  /// Makes a track for pictures that the application has encoded itself: `pushEncodedVideoImage(_:info:trackID:)` gives them
  /// to it, and the connections whose options have `publishEncodedVideoTrack` with its number as `customVideoTrackID` send
  /// them as they are. There is no smaller stream beside it, and nobody makes fewer or smaller pictures where the network
  /// carries less: `uplinkNetworkInfoUpdate` says what it carries. `takeSnapshot` has no picture of it on this side.
  ///
  /// The application makes a key frame whenever `intraRequestReceivedOfTrack` asks for one; the first time is when publishing
  /// begins. Until then what is pushed is not sent.
  ///
  /// - Parameter options: codec and bit rate.
  /// - Returns: the track's number, from 1 on, never used again; -4 (a codec other than VP8), -2 (a bit rate out of range), -22
  ///   (64 tracks are there), -7.
  @discardableResult
  public func createCustomEncodedVideoTrack(_ options: EncodedVideoTrackOptions = EncodedVideoTrackOptions()) -> Int {
    guard runtime.parts.get() != nil else { return -EngineErrorCode.notInitialized.rawValue }
    guard options.codecType == .vp8 else { return -EngineErrorCode.notSupported.rawValue }
    guard (10...100_000).contains(options.targetBitrate) else { return -EngineErrorCode.invalidArgument.rawValue }
    return addVideoTrack(encodedBitrate: options.targetBitrate)
  }

  /// Ends a track. Connections that publish it publish no video from now on, until their options say which.
  ///
  /// - Returns: 0; -2 (no such track), -7.
  @discardableResult public func destroyCustomEncodedVideoTrack(_ trackID: Int) -> Int {
    removeVideoTrack(trackID, isEncoded: true)
  }

  /// Gives a track its next encoded picture, from any thread. Every picture counts, since later ones need it: one that is
  /// refused makes a key frame necessary.
  ///
  /// - Parameters:
  ///   - data: one VP8 picture (RFC 6386) of at most 512 KiB, with one temporal layer.
  ///   - info: what the bytes do not say.
  ///   - trackID: what `createCustomEncodedVideoTrack(_:)` has returned.
  /// - Returns: 0; -4 (a codec other than VP8), -114 (too large), -2 (no such track, no picture of VP8, a time that is too
  ///   far away), -12 (30 pictures wait to be sent: from now on only a key frame is taken), -7.
  @discardableResult
  public func pushEncodedVideoImage(
    _ data: [UInt8], info: EncodedVideoFrameInfo = EncodedVideoFrameInfo(), trackID: Int
  ) -> Int {
    guard let parts = runtime.parts.get() else { return -EngineErrorCode.notInitialized.rawValue }
    let code = runtime.encodedVideo.push(data, info, track: trackID, now: MonotonicClock.now()) { frame in
      parts.network.send(encodedVideo: frame, track: trackID)
    }
    return -code.rawValue
  }
}
