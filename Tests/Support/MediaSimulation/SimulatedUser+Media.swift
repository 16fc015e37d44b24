import EngineCore
import MediaBase
import RTPSession

extension SimulatedUser {
  /// 15 pictures a second, as whole milliseconds.
  private static let pictureInterval = MediaDuration.milliseconds(66)
  private static let soundInterval = MediaDuration.milliseconds(20)

  /// What one of the user's connections reports.
  func handle(_ event: ConnectionEvent, _ connection: SimulatedConnection) {
    switch event {
    case .videoFrame(let uid, let frame):
      received.note(SyntheticPicture(frame), channel: connection.channel, uid: uid, now: world.now)
      return
    case .audioPacket(let uid, let packet):
      received.note(SyntheticSound(packet.payload), channel: connection.channel, uid: uid, now: world.now)
      return
    case .keyFrameNeeded: keyFrameFor.insert(connection.id)
    case .lowKeyFrameNeeded: lowKeyFrameFor.insert(connection.id)
    case .left: break
    default: world.trace.add("\(event)")
    }
    connection.note(event)
    tellCall(event, connection)
  }

  /// Camera and microphone run while somebody gets what they make.
  func refreshCapture(_ connection: SimulatedConnection) {
    if !isCameraOn, connection.core.isSendingVideo {
      isCameraOn = true
      world.timeline.schedule(.picture(self), at: world.now + startDelay(Self.pictureInterval))
    }
    if !isMicrophoneOn, connection.core.isSendingAudio {
      isMicrophoneOn = true
      world.timeline.schedule(.sound(self), at: world.now + startDelay(Self.soundInterval))
    }
  }

  private func startDelay(_ interval: MediaDuration) -> MediaDuration {
    MediaDuration(nanoseconds: Int64.random(in: 0..<interval.nanoseconds, using: &random))
  }

  /// Encodes a picture once for all connections that send, as a key frame if one of them needs it.
  func capturePicture() {
    let targets = connections.filter { $0.core.isSendingVideo }
    guard !targets.isEmpty else {
      isCameraOn = false
      return
    }
    let ids = targets.map(\.id)
    let picture = SyntheticPicture(
      uid: uid, number: pictureCount, captureTime: world.now,
      isKeyFrame: pictureCount == 0 || ids.contains(where: keyFrameFor.contains),
      byteCount: pictureByteCount(for: targets))
    pictureCount += 1
    keyFrameFor.subtract(ids)
    let frame = picture.frame
    let isLowKey = picture.number == 0 || ids.contains(where: lowKeyFrameFor.contains)
    if targets.contains(where: { $0.core.canSendLowVideo }) { lowKeyFrameFor.subtract(ids) }
    let low = SyntheticPicture(
      uid: uid, number: picture.number, captureTime: world.now, isKeyFrame: isLowKey, isLow: true
    ).frame
    for target in targets {
      // A quarter of the picture, so it is ready first.
      if target.core.canSendLowVideo { target.core.sendLowVideo(low, now: world.now) }
      target.core.sendVideo(frame, now: world.now)
      world.drain(target)
    }
    world.timeline.schedule(.picture(self), at: world.now + Self.pictureInterval)
  }

  /// What a picture may take; nil for the usual, which any path carries.
  private func pictureByteCount(for targets: [SimulatedConnection]) -> Int? {
    guard let cameraBitrate else { return nil }
    let allowed = targets.compactMap { $0.core.videoBitrate }.min() ?? cameraBitrate
    return min(allowed, cameraBitrate) / 8 * Int(Self.pictureInterval.milliseconds) / 1_000
  }

  /// Encodes 20 ms of sound for all connections that send.
  func captureSound() {
    let targets = connections.filter { $0.core.isSendingAudio }
    guard !targets.isEmpty else {
      isMicrophoneOn = false
      return
    }
    let frame = SyntheticSound(uid: uid, captureTime: world.now).frame
    for target in targets {
      target.core.sendAudio(frame, level: 30, now: world.now)
      world.drain(target)
    }
    world.timeline.schedule(.sound(self), at: world.now + Self.soundInterval)
  }
}
