import RTPSession
import ControlWire
import MediaBase

extension ConnectionCore {
  /// Sends a picture if video is published; otherwise drops it. The first one sent after `keyFrameNeeded` for the start of
  /// publishing is a key frame: others before it are dropped.
  public mutating func sendVideo(_ frame: EncodedVideoFrame, now: MediaInstant) {
    guard publishing.video, isMediaOpen, frame.isKeyFrame || !needsKeyFrame, let ssrc = path?.videoSSRC,
      let frame = encrypted(frame, now: now)
    else { return }
    needsKeyFrame = false
    path?.session.send(video: frame, ssrc: ssrc, now: now)
    statistics.sentVideoFrames += 1
    statistics.sentVideoBytes += frame.data.count
    guard reportsFirstVideo else { return }
    reportsFirstVideo = false
    refreshPublishStates(now: now)
    events.append(.firstVideoPublished(elapsed: now - startTime))
  }

  /// Whether pictures given to `sendLowVideo` go out.
  public var canSendLowVideo: Bool {
    switch path {
    case .some(let path): isSendingVideo && path.lowVideoSSRC != nil
    case .none: false
    }
  }

  /// Sends a picture of the smaller stream, as `sendVideo` does of the other: receivers who want little get this one.
  public mutating func sendLowVideo(_ frame: EncodedVideoFrame, now: MediaInstant) {
    guard publishing.video, isMediaOpen, frame.isKeyFrame || !needsLowKeyFrame, let ssrc = path?.lowVideoSSRC,
      let frame = encrypted(frame, now: now)
    else { return }
    needsLowKeyFrame = false
    path?.session.send(video: frame, ssrc: ssrc, now: now)
  }

  /// Sends a packet of sound if audio is published; otherwise drops it.
  ///
  /// - Parameter level: loudness in -dBov, 0 (loudest) to 127 (silent), RFC 6464; `nil` to leave it out.
  public mutating func sendAudio(_ frame: EncodedAudioFrame, level: UInt8?, now: MediaInstant) {
    guard publishing.audio, isMediaOpen, let ssrc = path?.audioSSRC, let frame = encrypted(frame, now: now) else {
      return
    }
    path?.session.send(audio: frame, level: level, ssrc: ssrc, now: now)
    statistics.sentAudioFrames += 1
    statistics.sentAudioBytes += frame.data.count
    guard reportsFirstAudio else { return }
    reportsFirstAudio = false
    refreshPublishStates(now: now)
    events.append(.firstAudioPublished(elapsed: now - startTime))
  }

  /// Publishing ends as soon as it is unwanted, and begins when the server has confirmed it: until then the server would
  /// throw the frames away, the key frame first of all.
  mutating func refreshPublishing(now: MediaInstant) {
    guard case .joined = phase else { return }
    let profile = configuration.profile
    let wanted = wanted.effectivePublish(profile: profile)
    let confirmed = confirmed.effectivePublish(profile: profile)
    let old = publishing
    publishing = TrackFlags(
      audio: wanted.audio && confirmed.audio && !isUnpublishPending(\.audio),
      video: wanted.video && confirmed.video && !isUnpublishPending(\.video))
    if publishing.video, !old.video {
      beginVideo()
      probePath(now: now)
    }
    if publishing.audio, !old.audio { reportsFirstAudio = true }
    refreshPublishStates(now: now)
  }

  /// Whether the server has been told to stop a track and has not confirmed it, so that it would not take frames yet even
  /// if the track is wanted again.
  private func isUnpublishPending(_ track: KeyPath<TrackFlags, Bool>) -> Bool {
    pendingUpdates.contains { $0.publish?[keyPath: track] == false }
  }

  /// The pictures that follow are of another source: a key frame comes first.
  public mutating func changeVideoSource() {
    guard publishing.video else { return }
    needKeyFrames()
  }

  /// The same of the smaller stream alone.
  public mutating func changeLowVideoSource() {
    guard publishing.video else { return }
    needLowKeyFrame()
  }

  mutating func beginVideo() {
    reportsFirstVideo = true
    needKeyFrames()
  }

  private mutating func needKeyFrames() {
    needsKeyFrame = true
    needLowKeyFrame()
    if isMediaOpen { events.append(.keyFrameNeeded) }
  }

  private mutating func needLowKeyFrame() {
    needsLowKeyFrame = true
    if isMediaOpen, canSendLowVideo { events.append(.lowKeyFrameNeeded) }
  }
}
