public import MediaBase

/// Everything that one user has got, in the order of its arrival, and what was wrong with it.
public struct ReceivedMedia: Sendable {
  /// Whole pictures and packets of sound.
  public private(set) var frames: [ReceivedFrame] = []
  /// Frames whose bytes are not those that were sent, or that came as another user's.
  public private(set) var damagedCount = 0
  /// Pictures that came without the one they build on.
  public private(set) var undecodableCount = 0

  private struct Stream: Hashable {
    var channel: String
    var uid: UInt
  }

  private var lastNumbers: [Stream: UInt32] = [:]

  /// How many pictures or packets of sound of a user came in a channel, by when they were captured and had arrived.
  public func count(
    channel: String, uid: UInt, isVideo: Bool = true, captured: ClosedRange<MediaInstant>? = nil,
    arrivedAfter begin: MediaInstant = .zero
  ) -> Int {
    var count = 0
    for frame in frames.reversed() {
      if frame.arrivalTime < begin { break }
      if frame.uid == uid, frame.isVideo == isVideo, frame.channel == channel,
        captured?.contains(frame.captureTime) ?? true
      {
        count += 1
      }
    }
    return count
  }

  mutating func note(_ picture: SyntheticPicture?, channel: String, uid: UInt, now: MediaInstant) {
    guard let picture, picture.uid == uid else {
      damagedCount += 1
      return
    }
    let stream = Stream(channel: channel, uid: uid)
    if !picture.isKeyFrame, lastNumbers[stream].map({ $0 &+ 1 }) != picture.number { undecodableCount += 1 }
    lastNumbers[stream] = picture.number
    append(channel, uid, isVideo: true, isLow: picture.isLow, picture.byteCount, picture.captureTime, now)
  }

  mutating func note(_ sound: SyntheticSound?, channel: String, uid: UInt, now: MediaInstant) {
    guard let sound, sound.uid == uid else {
      damagedCount += 1
      return
    }
    append(channel, uid, isVideo: false, SyntheticSound.byteCount, sound.captureTime, now)
  }

  private mutating func append(
    _ channel: String, _ uid: UInt, isVideo: Bool, isLow: Bool = false, _ byteCount: Int, _ captureTime: MediaInstant,
    _ now: MediaInstant
  ) {
    frames.append(
      ReceivedFrame(
        channel: channel, uid: uid, isVideo: isVideo, byteCount: byteCount, isLow: isLow, captureTime: captureTime,
        arrivalTime: now))
  }
}
