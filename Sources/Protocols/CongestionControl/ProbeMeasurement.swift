import MediaBase

/// What the clusters that were sent last have shown.
struct ProbeMeasurement {
  private static let longest = MediaDuration.seconds(1 as Int64)
  private static let maximumActive = 4
  /// Packets sent within this time count as sent together.
  private static let sameTime = MediaDuration.microseconds(500)

  private struct Progress {
    var cluster: ProbeCluster
    var packetCount = 0
    var byteCount = 0
    var firstSent: MediaInstant?
    var lastSent = MediaInstant.zero
    /// Bytes of the packets that were sent at the last instant: they take no part in the rate of sending.
    var lastSentByteCount = 0
    var firstArrival = MediaInstant.zero
    var firstArrivalByteCount = 0
    var lastArrival = MediaInstant.zero
  }

  struct Result {
    /// In bits per second.
    var rate: Double
    /// Whether it arrived slower than it was sent: that is the path's whole rate.
    var isSaturated: Bool
  }

  private var active: [Progress] = []

  mutating func expect(_ cluster: ProbeCluster) {
    if active.count >= Self.maximumActive { active.removeFirst() }
    active.append(Progress(cluster: cluster))
  }

  /// Takes a packet of a cluster; what the cluster shows, once enough of it has arrived.
  mutating func add(_ packet: AcknowledgedPacket) -> Result? {
    guard packet.cluster != 0, let index = active.firstIndex(where: { $0.cluster.id == packet.cluster }) else {
      return nil
    }
    var progress = active[index]
    progress.packetCount += 1
    progress.byteCount += packet.byteCount
    if progress.firstSent == nil {
      progress.firstSent = packet.sentAt
      progress.lastSent = packet.sentAt
      progress.firstArrival = packet.arrival
      progress.firstArrivalByteCount = packet.byteCount
      progress.lastArrival = packet.arrival
    }
    if packet.sentAt - progress.lastSent > Self.sameTime {
      progress.lastSent = packet.sentAt
      progress.lastSentByteCount = 0
    }
    progress.lastSentByteCount += packet.byteCount
    if packet.arrival < progress.firstArrival {
      progress.firstArrival = packet.arrival
      progress.firstArrivalByteCount = packet.byteCount
    }
    progress.lastArrival = max(progress.lastArrival, packet.arrival)
    active[index] = progress
    return Self.result(progress)
  }

  private static func result(_ progress: Progress) -> Result? {
    guard progress.packetCount * 5 >= progress.cluster.minimumPacketCount * 4,
      progress.byteCount * 5 >= progress.cluster.minimumByteCount * 4, let firstSent = progress.firstSent
    else { return nil }
    let sending = progress.lastSent - firstSent
    let arriving = progress.lastArrival - progress.firstArrival
    guard sending > .zero, sending <= longest, arriving > .zero, arriving <= longest else { return nil }
    let sent = Double(progress.byteCount - progress.lastSentByteCount) * 8 / sending.seconds
    let received = Double(progress.byteCount - progress.firstArrivalByteCount) * 8 / arriving.seconds
    guard sent > 0, received > 0, received <= 2 * sent || sending > .milliseconds(2) else { return nil }
    // Leave a path that is full a little room.
    return received < 0.9 * sent
      ? Result(rate: 0.95 * received, isSaturated: true) : Result(rate: min(sent, received), isSaturated: false)
  }
}
