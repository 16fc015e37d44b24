import ControlWire

/// A remote user whom this connection sees.
struct RemoteUser {
  var uid: UInt
  var published: TrackFlags
  var ssrcs: TrackSSRCs
  var video = RemoteTrack()
  var audio = RemoteTrack()
  var statistics: RemoteStreamStatistics

  init(_ user: ChannelUser) {
    uid = user.uid
    published = user.published
    ssrcs = user.ssrcs
    statistics = RemoteStreamStatistics(uid: user.uid)
  }
}

/// To whom a received SSRC belongs.
struct RemoteStreamKey {
  var uid: UInt
  var isVideo: Bool
}
