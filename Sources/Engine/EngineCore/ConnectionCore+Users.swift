import RTPSession
import ControlWire
import MediaBase

extension ConnectionCore {
  /// Who caused a change of what is received.
  enum Cause {
    case local
    case remote
    case offline
  }

  mutating func addUser(_ user: ChannelUser, now: MediaInstant) {
    if let known = users[user.uid] {
      forgetStreams(of: known)
      pauseVideo(false, of: user.uid, now: now)
      users[user.uid]?.ssrcs = user.ssrcs
      users[user.uid]?.setPublished(user.published, now: now)
      resumeUser(user.uid, now: now)
    } else {
      users[user.uid] = RemoteUser(user, now: now)
      events.append(.userJoined(uid: user.uid, elapsed: now - startTime))
    }
    setMediaState(user.mediaState, published: user.published, of: user.uid)
    refreshUser(user.uid, cause: .remote, now: now)
  }

  mutating func updateUser(_ update: UserUpdatedResponse, now: MediaInstant) {
    users[update.uid]?.setPublished(update.published, now: now)
    setMediaState(update.mediaState, published: update.published, of: update.uid)
    refreshUser(update.uid, cause: .remote, now: now)
  }

  mutating func removeUser(_ uid: UInt, reason: UserOfflineReason, now: MediaInstant) {
    guard users[uid] != nil else { return }
    users[uid]?.setPublished(.none, now: now)
    refreshUser(uid, cause: .offline, now: now)
    refreshSubscribeStates(of: uid, isLeaving: true, now: now)
    users[uid] = nil
    events.append(.userOffline(uid: uid, reason: reason))
  }

  /// The users after (re)joining: those who have gone meanwhile are dropped, the others stay or come.
  mutating func replaceUsers(_ present: [ChannelUser], now: MediaInstant) {
    let uids = Set(present.map(\.uid))
    for uid in users.keys.sorted() where !uids.contains(uid) { removeUser(uid, reason: .dropped, now: now) }
    for user in present where user.uid != uid { addUser(user, now: now) }
  }

  mutating func refreshUsers(cause: Cause, now: MediaInstant) {
    for uid in users.keys.sorted() { refreshUser(uid, cause: cause, now: now) }
  }

  /// Begins and ends reception of a user's tracks as publishing and subscription say.
  private mutating func refreshUser(_ uid: UInt, cause: Cause, now: MediaInstant) {
    guard let user = users[uid] else { return }
    let subscribed = wanted.subscribe.wanted(of: uid)
    let begin: RemoteTrack.Reason = cause == .local ? .localUnmuted : .remoteUnmuted
    let end: RemoteTrack.Reason =
      switch cause {
      case .local: .localMuted
      case .remote: .remoteMuted
      case .offline: .remoteOffline
      }
    let wantsVideo = user.published.video && subscribed.video
    if wantsVideo != user.video.isReceiving {
      if wantsVideo { beginVideo(of: uid, reason: begin, now: now) } else { endVideo(of: uid, reason: end, now: now) }
    }
    let wantsAudio = user.published.audio && subscribed.audio
    if wantsAudio != user.audio.isReceiving {
      if wantsAudio { beginAudio(of: uid, reason: begin, now: now) } else { endAudio(of: uid, reason: end, now: now) }
    }
    refreshSubscribeStates(of: uid, now: now)
  }

  private mutating func beginVideo(of uid: UInt, reason: RemoteTrack.Reason, now: MediaInstant) {
    users[uid]?.video.begin(cause: reason)
    guard let ssrcs = users[uid]?.ssrcs else { return }
    streams[ssrcs.video] = RemoteStreamKey(uid: uid, isVideo: true)
    path?.session.addReceiveStream(kind: .video, ssrc: ssrcs.video, rtxSSRC: ssrcs.videoRTX)
    if isMediaOpen { path?.session.requestKeyFrame(ssrc: ssrcs.video, now: now) }
    drainPath(now: now)
  }

  private mutating func endVideo(of uid: UInt, reason: RemoteTrack.Reason, now: MediaInstant) {
    guard let ssrc = users[uid]?.ssrcs.video else { return }
    keepPacketCounts(of: uid, video: true)
    streams[ssrc] = nil
    path?.session.removeReceiveStream(ssrc: ssrc)
    report(users[uid]?.video.end(reason: reason, now: now), uid: uid, isVideo: true, now: now)
  }

  private mutating func beginAudio(of uid: UInt, reason: RemoteTrack.Reason, now: MediaInstant) {
    users[uid]?.audio.begin(cause: reason)
    guard let ssrc = users[uid]?.ssrcs.audio else { return }
    streams[ssrc] = RemoteStreamKey(uid: uid, isVideo: false)
    path?.session.addReceiveStream(kind: .audio, ssrc: ssrc, rtxSSRC: nil)
    drainPath(now: now)
  }

  private mutating func endAudio(of uid: UInt, reason: RemoteTrack.Reason, now: MediaInstant) {
    guard let ssrc = users[uid]?.ssrcs.audio else { return }
    keepPacketCounts(of: uid, audio: true)
    streams[ssrc] = nil
    path?.session.removeReceiveStream(ssrc: ssrc)
    report(users[uid]?.audio.end(reason: reason, now: now), uid: uid, isVideo: false, now: now)
  }

  /// The server leaves a user's video out, or sends it again.
  mutating func pauseVideo(_ isPaused: Bool, of uid: UInt, now: MediaInstant) {
    guard let user = users[uid], user.video.isPaused != isPaused else { return }
    events.append(.videoPaused(uid: uid, isPaused))
    if isPaused {
      report(users[uid]?.video.pause(now: now), uid: uid, isVideo: true, now: now)
    } else {
      users[uid]?.video.resume()
    }
    refreshSubscribeStates(of: uid, now: now)
  }

  /// A known user after a rejoin: tracks that go on are received by their new SSRCs, without any change of state.
  private mutating func resumeUser(_ uid: UInt, now: MediaInstant) {
    guard let user = users[uid] else { return }
    if user.video.isReceiving, user.published.video {
      streams[user.ssrcs.video] = RemoteStreamKey(uid: uid, isVideo: true)
      path?.session.addReceiveStream(kind: .video, ssrc: user.ssrcs.video, rtxSSRC: user.ssrcs.videoRTX)
      if isMediaOpen { path?.session.requestKeyFrame(ssrc: user.ssrcs.video, now: now) }
    }
    if user.audio.isReceiving, user.published.audio {
      streams[user.ssrcs.audio] = RemoteStreamKey(uid: uid, isVideo: false)
      path?.session.addReceiveStream(kind: .audio, ssrc: user.ssrcs.audio, rtxSSRC: nil)
    }
  }

  private mutating func forgetStreams(of user: RemoteUser) {
    for ssrc in [user.ssrcs.video, user.ssrcs.audio] where streams.removeValue(forKey: ssrc) != nil {
      path?.session.removeReceiveStream(ssrc: ssrc)
    }
  }

  /// Asks for a key frame of a user's video, because the decoder cannot go on without.
  public mutating func requestKeyFrame(of uid: UInt, now: MediaInstant) {
    guard isMediaOpen, let user = users[uid], user.video.isReceiving else { return }
    path?.session.requestKeyFrame(ssrc: user.ssrcs.video, now: now)
  }

  /// Asks for a key frame of every video that should come and has not begun: the earlier request may have reached the
  /// server before it knew of the subscription.
  mutating func requestMissingKeyFrames(now: MediaInstant) {
    guard isMediaOpen else { return }
    for uid in users.keys.sorted() {
      guard let user = users[uid], user.video.isReceiving, !user.video.hasFrame else { continue }
      path?.session.requestKeyFrame(ssrc: user.ssrcs.video, now: now)
    }
  }
}
