/// One step of a video's ladder: what is forwarded, and what that takes.
struct AllocationRung: Hashable {
  var target: LayerTarget
  /// Bits per second.
  var bitrate: Double
}

/// A video that a subscriber wants.
struct AllocatedTrack {
  /// What can be forwarded, cheapest first; never empty.
  var rungs: [AllocationRung]
  /// The rung that is forwarded now; -1 if none.
  var current: Int
}

/// Memory for what a peer's videos may take, kept from one time to the next.
struct AllocationScratch {
  /// The egresses, and beside each its track.
  var videos: [Int32] = []
  var tracks: [AllocatedTrack] = []
  private var spare: [[AllocationRung]] = []

  mutating func removeAll() {
    videos.removeAll(keepingCapacity: true)
    for index in tracks.indices { Self.move(&tracks[index].rungs, to: &spare) }
    tracks.removeAll(keepingCapacity: true)
  }

  /// An empty list.
  mutating func takeRungs() -> [AllocationRung] { spare.popLast() ?? [] }

  /// Takes the memory of a list that was taken and not used.
  mutating func giveBack(_ rungs: inout [AllocationRung]) { Self.move(&rungs, to: &spare) }

  /// Swapped, not handed over: a list that is held twice is copied when it is emptied.
  private static func move(_ rungs: inout [AllocationRung], to spare: inout [[AllocationRung]]) {
    rungs.removeAll(keepingCapacity: true)
    spare.append([])
    swap(&spare[spare.count - 1], &rungs)
  }
}

/// Divides what a path carries among the videos that its subscriber wants: the cheapest rung for each of them first, then
/// one rung more for each in turn, as long as that fits. Sound has been taken off before, and is never touched.
enum DownlinkAllocator {
  /// A path that carries this share of the cheapest rung keeps it: what is measured of both is uncertain, and a picture
  /// now and then is more than none.
  static let enoughForLowest = 0.7

  /// The rung of each track, -1 for none.
  static func allocate(_ tracks: [AllocatedTrack], bitrate: Double) -> [Int] {
    var left = bitrate
    var result = [Int](repeating: -1, count: tracks.count)
    for (index, track) in tracks.enumerated() where !track.rungs.isEmpty {
      guard left >= track.rungs[0].bitrate * enoughForLowest else { continue }
      result[index] = 0
      left -= track.rungs[0].bitrate
    }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for (index, track) in tracks.enumerated() where result[index] >= 0 && result[index] + 1 < track.rungs.count {
        let step = track.rungs[result[index] + 1].bitrate - track.rungs[result[index]].bitrate
        guard step <= left else { continue }
        left -= step
        result[index] += 1
        hasChanged = true
      }
    }
    return result
  }

  /// What the present rungs take.
  static func cost(_ tracks: [AllocatedTrack]) -> Double {
    tracks.reduce(0) { sum, track in
      track.rungs.indices.contains(track.current) ? sum + track.rungs[track.current].bitrate : sum
    }
  }
}
