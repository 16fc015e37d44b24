import EngineCore

/// The part of `RTCEngineDelegate` about single streams: what is published and received, what others mute, first pictures,
/// data, snapshots. Every method has an empty default. `elapsed` is in milliseconds: since the old state began for publish
/// and subscribe states, since the connection's join call otherwise.
public protocol RTCEngineStreamDelegate: AnyObject, Sendable {
  /// The publishing of the local video has got further, or is over.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didVideoPublishStateChange oldState: StreamPublishState,
    newState: StreamPublishState, elapsed: Int)
  /// The publishing of the local audio has got further, or is over.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didAudioPublishStateChange oldState: StreamPublishState,
    newState: StreamPublishState, elapsed: Int)
  /// The reception of a user's video has got further, or is over.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didVideoSubscribeStateChangeOfUID uid: UInt,
    oldState: StreamSubscribeState, newState: StreamSubscribeState, elapsed: Int)
  /// The reception of a user's audio has got further, or is over.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didAudioSubscribeStateChangeOfUID uid: UInt,
    oldState: StreamSubscribeState, newState: StreamSubscribeState, elapsed: Int)
  /// Of a user only sound is received, since the network carries no picture (`true`); or pictures come again. The video's
  /// state follows: stopped with `audioFallback`, decoding with `audioFallbackRecovery`. Only with
  /// `StreamFallbackOption.audioOnly`.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didRemoteSubscribeFallbackToAudioOnly isFallback: Bool,
    byUID uid: UInt)
  /// A user has muted or unmuted the microphone, or came with it muted.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didAudioMuted muted: Bool, byUID uid: UInt)
  /// A user has muted or unmuted the camera, or came with it muted.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didVideoMuted muted: Bool, byUID uid: UInt)
  /// A user has turned the video module on or off.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didVideoEnabled enabled: Bool, byUID uid: UInt)
  /// A user has turned the camera on or off.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didLocalVideoEnabled enabled: Bool, byUID uid: UInt)
  /// Everything of the four methods above, as bits. Called after them.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, userStateChanged state: UserMediaState, ofUID uid: UInt)
  /// The first picture of a remote user, or the first after 15 s without, has been decoded.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoDecodedOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int)
  /// The first sound of a remote user, or the first after 15 s without, has been decoded.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, firstRemoteAudioDecodedOfUID uid: UInt, elapsed: Int)
  /// Pictures have another size than before; uid 0 is the local camera, whose `connection` is `nil`.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, videoSizeChangedOfUID uid: UInt, width: Int, height: Int,
    rotation: Int)
  /// How long the way to a user's first picture took.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, videoRenderingTracingResultOfUID uid: UInt, event: MediaTraceEvent,
    info: VideoRenderingTracingInfo)
  /// A message on a user's data stream.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, receiveStreamMessageFromUID uid: UInt, streamID: Int, data: [UInt8])
  /// `missed` messages of a user's data stream have been lost before the one that comes next. None is ever cached.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOccurStreamMessageErrorFromUID uid: UInt, streamID: Int,
    error: EngineErrorCode, missed: Int, cached: Int)
  /// A remote user's pictures, sound or messages cannot be decrypted and are dropped: another key, no key here, or no
  /// encryption there. With the uid 0, what this side sends cannot be encrypted and is not sent. Comes at once, and then
  /// every 5 s as long as it lasts; errors 120 and 122 come with it (`didOccurError`).
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOccurEncryptionError type: EncryptionErrorType, ofUID uid: UInt)
  /// Somebody needs a key frame of the encoded pictures that the application gives to a track that this connection publishes:
  /// when it begins, when somebody comes, when too much has been lost. Until one is pushed it is asked for again, at most five
  /// times a second.
  func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, intraRequestReceivedOfTrack trackID: Int)
  /// The end of `takeSnapshot`: 0, -1 (the file could not be written), -2 (no picture came within a second), -3 (too soon
  /// after the one before). Width and height are 0 if it failed.
  func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, snapshotTakenOfUID uid: UInt, path: String, width: Int, height: Int,
    error: Int)
}

extension RTCEngineStreamDelegate {
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didVideoPublishStateChange oldState: StreamPublishState,
    newState: StreamPublishState, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didAudioPublishStateChange oldState: StreamPublishState,
    newState: StreamPublishState, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didVideoSubscribeStateChangeOfUID uid: UInt,
    oldState: StreamSubscribeState, newState: StreamSubscribeState, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didAudioSubscribeStateChangeOfUID uid: UInt,
    oldState: StreamSubscribeState, newState: StreamSubscribeState, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didRemoteSubscribeFallbackToAudioOnly isFallback: Bool,
    byUID uid: UInt
  ) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didAudioMuted muted: Bool, byUID uid: UInt) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didVideoMuted muted: Bool, byUID uid: UInt) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, didVideoEnabled enabled: Bool, byUID uid: UInt)
  {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didLocalVideoEnabled enabled: Bool, byUID uid: UInt
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, userStateChanged state: UserMediaState, ofUID uid: UInt
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteVideoDecodedOfUID uid: UInt, width: Int, height: Int,
    elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, firstRemoteAudioDecodedOfUID uid: UInt, elapsed: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection?, videoSizeChangedOfUID uid: UInt, width: Int, height: Int,
    rotation: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, videoRenderingTracingResultOfUID uid: UInt, event: MediaTraceEvent,
    info: VideoRenderingTracingInfo
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, receiveStreamMessageFromUID uid: UInt, streamID: Int, data: [UInt8]
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOccurStreamMessageErrorFromUID uid: UInt, streamID: Int,
    error: EngineErrorCode, missed: Int, cached: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, snapshotTakenOfUID uid: UInt, path: String, width: Int, height: Int,
    error: Int
  ) {}
  /// Does nothing.
  public func rtcEngine(_ engine: RTCEngine, connection: RTCConnection, intraRequestReceivedOfTrack trackID: Int) {}
  /// Does nothing.
  public func rtcEngine(
    _ engine: RTCEngine, connection: RTCConnection, didOccurEncryptionError type: EncryptionErrorType, ofUID uid: UInt
  ) {}
}
