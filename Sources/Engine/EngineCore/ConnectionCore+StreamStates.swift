import ControlWire
import MediaBase
import RTPSession

extension ConnectionCore {
  /// Reports what has changed in the publishing of both tracks.
  mutating func refreshPublishStates(now: MediaInstant) {
    let wantedTracks = wanted.effectivePublish(profile: configuration.profile)
    let video = publishState(
      isWanted: wantedTracks.video, hasBegun: publishing.video && isMediaOpen && !reportsFirstVideo)
    let audio = publishState(
      isWanted: wantedTracks.audio, hasBegun: publishing.audio && isMediaOpen && !reportsFirstAudio)
    if let change = audioPublish.move(to: audio, now: now) {
      events.append(.publishState(.audio, from: change.old, to: audio, elapsed: change.elapsed))
    }
    if let change = videoPublish.move(to: video, now: now) {
      events.append(.publishState(.video, from: change.old, to: video, elapsed: change.elapsed))
    }
  }

  private func publishState(isWanted: Bool, hasBegun: Bool) -> StreamPublishState {
    // An interruption does not end the stay in the channel: whoever published goes on trying.
    guard joinTime != nil, !hasEnded else { return .idle }
    if !isWanted { return .noPublished }
    return hasBegun ? .published : .publishing
  }

  /// Reports what has changed in the reception of one user's tracks; a user who is gone has none.
  mutating func refreshSubscribeStates(of uid: UInt, isLeaving: Bool = false, now: MediaInstant) {
    guard var user = users[uid] else { return }
    let audio = subscribeState(user.audio, isLeaving: isLeaving)
    let video = subscribeState(user.video, isLeaving: isLeaving)
    let audioChange = user.audioSubscribe.move(to: audio, now: now)
    let videoChange = user.videoSubscribe.move(to: video, now: now)
    guard audioChange != nil || videoChange != nil else { return }
    users[uid] = user
    if let change = audioChange {
      events.append(.subscribeState(uid: uid, .audio, from: change.old, to: audio, elapsed: change.elapsed))
    }
    if let change = videoChange {
      events.append(.subscribeState(uid: uid, .video, from: change.old, to: video, elapsed: change.elapsed))
    }
  }

  private func subscribeState(_ track: RemoteTrack, isLeaving: Bool) -> StreamSubscribeState {
    if isLeaving { return .idle }
    guard track.isReceiving else { return .noSubscribed }
    return track.hasFrame ? .subscribed : .subscribing
  }
}
