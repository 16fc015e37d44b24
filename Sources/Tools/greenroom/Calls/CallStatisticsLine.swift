import MediaEngine

/// What a person wants to know of a call that goes on: made from two snapshots of the connection's totals.
struct CallStatisticsLine {
  var roundTripMilliseconds: Double?
  /// In percent, of what should have come.
  var loss = 0.0
  var receivedKilobits = 0.0
  var sentKilobits = 0.0
  var framesPerSecond = 0.0
  var width = 0
  var height = 0

  /// What has happened between two snapshots, of which the second is of user `peer` too.
  init(from before: RTCStatistics, to after: RTCStatistics, peer: UInt) {
    roundTripMilliseconds = after.roundTripMilliseconds
    let seconds = max(0.001, after.duration - before.duration)
    receivedKilobits = Double(max(0, after.receivedBytes - before.receivedBytes)) * 8 / 1_000 / seconds
    sentKilobits = Double(max(0, after.sentBytes - before.sentBytes)) * 8 / 1_000 / seconds
    guard let new = after.remote.first(where: { $0.uid == peer }) else { return }
    let old = before.remote.first { $0.uid == peer } ?? RemoteMediaStatistics(uid: peer)
    let lost = max(
      0, new.videoPacketsLost + new.audioPacketsLost - old.videoPacketsLost - old.audioPacketsLost)
    let received = max(0, after.receivedPackets - before.receivedPackets)
    if lost > 0 { loss = 100 * Double(lost) / Double(lost + received) }
    framesPerSecond = Double(max(0, new.decodedVideoFrames - old.decodedVideoFrames)) / seconds
    (width, height) = (new.width, new.height)
  }

  /// One line.
  var text: String {
    let roundTrip = roundTripMilliseconds.map { "\(Terminal.fixed($0, decimals: 1)) ms" } ?? "-"
    let picture = width > 0 ? "\(Terminal.fixed(framesPerSecond, decimals: 0)) fps \(width)x\(height)" : "no picture"
    return "round trip \(roundTrip), loss \(Terminal.fixed(loss, decimals: 1)) %, in "
      + "\(Terminal.fixed(receivedKilobits, decimals: 0)) out \(Terminal.fixed(sentKilobits, decimals: 0)) kbit/s, "
      + picture
  }
}
