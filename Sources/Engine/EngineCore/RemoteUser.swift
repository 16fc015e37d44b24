import ControlWire
import MediaBase

/// A remote user whom this connection sees.
struct RemoteUser {
  var uid: UInt
  var published: TrackFlags
  var ssrcs: TrackSSRCs
  var video = RemoteTrack()
  var audio = RemoteTrack()
  var statistics: RemoteStreamStatistics
  var mediaState = UserMediaState.usual
  var audioSubscribe: StateWatch<StreamSubscribeState>
  var videoSubscribe: StateWatch<StreamSubscribeState>
  var dataStreams = DataStreamReceiver()

  init(_ user: ChannelUser, now: MediaInstant) {
    uid = user.uid
    published = user.published
    ssrcs = user.ssrcs
    statistics = RemoteStreamStatistics(uid: user.uid)
    audioSubscribe = StateWatch(.idle, since: now)
    videoSubscribe = StateWatch(.idle, since: now)
  }
}

/// To whom a received SSRC belongs.
struct RemoteStreamKey {
  var uid: UInt
  var isVideo: Bool
}
