import MediaBase

/// Keeps videos from jumping up and down: down at once when the path is too narrow, up only when there has been room with
/// a margin for a while.
struct AllocationHysteresis {
  /// A path may be this much narrower than what is forwarded: rates of encoders swing.
  private static let tolerance = 1.05
  private static let margin = 1.15
  private static let patience = MediaDuration.seconds(1 as Int64)
  /// The longest wait after climbing again and again what did not hold.
  private static let longestPatience = MediaDuration.seconds(16 as Int64)
  /// A climb that holds for this long was right.
  private static let proof = MediaDuration.seconds(15 as Int64)
  /// Without room for the cheapest rung for so long, a video pauses.
  private static let pausePatience = MediaDuration.seconds(2 as Int64)

  private var roomSince: MediaInstant?
  private var starvedSince: MediaInstant?
  private var lastClimb: MediaInstant?
  private var wait = Self.patience

  /// Whether all tracks have all that there is of them, and the path carries it: nothing is to be chosen then.
  mutating func keepsAll(_ tracks: [AllocatedTrack], bitrate: Double) -> Bool {
    guard tracks.allSatisfy({ $0.current == $0.rungs.count - 1 }),
      DownlinkAllocator.cost(tracks) <= bitrate * Self.tolerance
    else { return false }
    starvedSince = nil
    roomSince = nil
    return true
  }

  /// The rung of each track from now on, -1 for none. `bitrate` is what all videos may take, in bits per second.
  mutating func choose(_ tracks: [AllocatedTrack], bitrate: Double, now: MediaInstant) -> [Int] {
    let present = tracks.map { min($0.current, $0.rungs.count - 1) }
    if DownlinkAllocator.cost(tracks) > bitrate * Self.tolerance { return descend(tracks, present, bitrate, now: now) }
    starvedSince = nil
    let possible = DownlinkAllocator.allocate(tracks, bitrate: bitrate / Self.margin)
    let climbs = zip(possible, present).contains { $0 > $1 }
    guard climbs, zip(possible, present).allSatisfy({ $0 >= $1 }) else {
      roomSince = nil
      return present
    }
    let since = roomSince ?? now
    roomSince = since
    guard now - since >= wait else { return present }
    roomSince = nil
    lastClimb = now
    return possible
  }

  private mutating func descend(
    _ tracks: [AllocatedTrack], _ present: [Int], _ bitrate: Double, now: MediaInstant
  ) -> [Int] {
    roomSince = nil
    var chosen = zip(DownlinkAllocator.allocate(tracks, bitrate: bitrate), present).map { min($0, $1) }
    let since = starvedSince ?? now
    if zip(chosen, present).contains(where: { $0 < 0 && $1 >= 0 }) {
      starvedSince = since
      if now - since < Self.pausePatience { chosen = zip(chosen, present).map { $1 >= 0 ? max($0, 0) : $0 } }
    } else {
      starvedSince = nil
    }
    guard chosen != present else { return present }
    // What has just been climbed did not hold: wait longer the next time.
    if let lastClimb, now - lastClimb < Self.proof {
      wait = min(wait * 2, Self.longestPatience)
    } else {
      wait = Self.patience
    }
    lastClimb = nil
    return chosen
  }
}
