import MediaBase
import RTPSession

extension ConnectionCore {
  mutating func receivedVideo(_ frame: EncodedVideoFrame, ssrc: UInt32, now: MediaInstant) {
    guard let key = streams[ssrc], key.isVideo, let frame = decrypted(frame, of: key, ssrc: ssrc, now: now) else {
      return
    }
    users[key.uid]?.statistics.videoFrames += 1
    users[key.uid]?.statistics.videoBytes += frame.data.count
    if frame.isKeyFrame { users[key.uid]?.statistics.videoKeyFrames += 1 }
    events.append(.videoFrame(uid: key.uid, frame))
    if receivedFrame(key, now: now) {
      events.append(.firstRemoteVideoFrame(uid: key.uid, elapsed: now - startTime))
    }
  }

  mutating func receivedAudio(_ packet: ReceivedAudioPacket, ssrc: UInt32, now: MediaInstant) {
    guard let key = streams[ssrc], !key.isVideo, let packet = decrypted(packet, of: key, now: now) else { return }
    users[key.uid]?.statistics.audioPackets += 1
    users[key.uid]?.statistics.audioBytes += packet.payload.count
    events.append(.audioPacket(uid: key.uid, packet))
    if receivedFrame(key, now: now) {
      events.append(.firstRemoteAudioPacket(uid: key.uid, elapsed: now - startTime))
    }
  }

  /// Moves the track on and watches it for freezing; whether this was a first frame.
  private mutating func receivedFrame(_ key: RemoteStreamKey, now: MediaInstant) -> Bool {
    var isFirst = false
    let again = configuration.timing.firstFrameAgain
    change(key, now: now) { track in
      let result = track.receivedFrame(now: now, firstFrameAgain: again)
      isFirst = result.isFirst
      return result.change
    }
    if freezeCheck == nil { freezeCheck = now + configuration.timing.frozen }
    return isFirst
  }

  mutating func received(_ ssrc: UInt32, now: MediaInstant, _ body: (inout RemoteTrack) -> RemoteTrack.Change?) {
    guard let key = streams[ssrc] else { return }
    change(key, now: now, body)
  }

  mutating func change(
    _ key: RemoteStreamKey, now: MediaInstant, _ body: (inout RemoteTrack) -> RemoteTrack.Change?
  ) {
    guard var user = users[key.uid] else { return }
    let change = key.isVideo ? body(&user.video) : body(&user.audio)
    users[key.uid] = user
    report(change, uid: key.uid, isVideo: key.isVideo, now: now)
    if change?.phase == .decoding { refreshSubscribeStates(of: key.uid, now: now) }
  }

  mutating func report(_ change: RemoteTrack.Change?, uid: UInt, isVideo: Bool, now: MediaInstant) {
    guard let change else { return }
    let elapsed = now - startTime
    if isVideo {
      guard let state = RemoteVideoState(rawValue: change.phase.rawValue),
        let reason = RemoteVideoStateReason(rawValue: change.reason.rawValue)
      else { return }
      events.append(.remoteVideoState(uid: uid, state, reason, elapsed: elapsed))
    } else {
      guard let state = RemoteAudioState(rawValue: change.phase.rawValue),
        let reason = RemoteAudioStateReason(rawValue: change.reason.rawValue)
      else { return }
      events.append(.remoteAudioState(uid: uid, state, reason, elapsed: elapsed))
    }
  }

  mutating func checkFrozenStreams(now: MediaInstant) {
    guard let freezeCheck, now >= freezeCheck else { return }
    let frozen = configuration.timing.frozen
    var next: MediaInstant?
    for uid in users.keys.sorted() {
      for isVideo in [true, false] {
        change(RemoteStreamKey(uid: uid, isVideo: isVideo), now: now) { $0.freezeIfDue(now: now, after: frozen) }
      }
      next = .earliest(next, users[uid]?.video.freezeDeadline(after: frozen))
      next = .earliest(next, users[uid]?.audio.freezeDeadline(after: frozen))
    }
    self.freezeCheck = next
  }
}
