import MediaBase

/// When each picture of a stream is to be seen: evenly as its own clock says, and in the long run as it came.
struct PictureTimes {
  /// How much of a picture's lateness moves those after it: jitter is lost in it, a clock that runs differently is not.
  private static let share: Int64 = 200
  /// A jump of this length is one of the stream's clock, not jitter.
  private static let jump = MediaDuration.seconds(2)

  private var timestamp: UInt32?
  /// Where the stream's clock puts the last picture.
  private var time = MediaDuration.zero
  private var last: MediaDuration?

  /// The time of a picture with this RTP timestamp (90 kHz) that came at `arrival`; never negative, and at least a
  /// millisecond after the one before.
  mutating func time(of timestamp: UInt32, at arrival: MediaDuration) -> MediaDuration {
    if let before = self.timestamp {
      let ticks = Int64(Int32(bitPattern: timestamp &- before))
      time = MediaDuration(nanoseconds: time.nanoseconds + ticks * 100_000 / 9)
      let late = arrival - time
      let isJump = late > Self.jump || late < .zero - Self.jump
      time = isJump ? arrival : MediaDuration(nanoseconds: time.nanoseconds + late.nanoseconds / Self.share)
    } else {
      time = arrival
    }
    self.timestamp = timestamp
    let shown = max(time, last.map { $0 + .milliseconds(1) } ?? .zero)
    last = shown
    return shown
  }
}
