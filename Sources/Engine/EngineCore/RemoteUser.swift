import ControlWire
import MediaBase

/// A remote user whom this connection sees.
struct RemoteUser {
  var uid: UInt
  private(set) var published: TrackFlags
  private(set) var videoClock = PublishClock()
  private(set) var audioClock = PublishClock()
  var ssrcs: TrackSSRCs
  var video = RemoteTrack()
  var audio = RemoteTrack()
  var statistics: RemoteStreamStatistics
  var mediaState = UserMediaState.usual
  var audioSubscribe: StateWatch<StreamSubscribeState>
  var videoSubscribe: StateWatch<StreamSubscribeState>
  var dataStreams = DataStreamReceiver()
  /// Pictures have been dropped here: the next that is shown has to be a key frame.
  var needsKeyFrame = false
  var keyFrameRequestTime: MediaInstant?
  /// Pictures are encrypted, or may be, and this side has no key.
  var isVideoEncrypted = false

  init(_ user: ChannelUser, now: MediaInstant) {
    uid = user.uid
    published = user.published
    ssrcs = user.ssrcs
    statistics = RemoteStreamStatistics(uid: user.uid)
    audioSubscribe = StateWatch(.idle, since: now)
    videoSubscribe = StateWatch(.idle, since: now)
    setPublished(user.published, now: now)
  }

  mutating func setPublished(_ published: TrackFlags, now: MediaInstant) {
    self.published = published
    videoClock.set(published.video, now: now)
    audioClock.set(published.audio, now: now)
  }
}

/// To whom a received SSRC belongs.
struct RemoteStreamKey {
  var uid: UInt
  var isVideo: Bool
}
