import MediaBase

/// Gathers packets that were sent together, and compares each group with the one before: how much more time lay between
/// them on arrival than on sending (draft-ietf-rmcat-gcc-02 section 5.2).
struct PacketGroups {
  /// Packets sent within this time of a group's first belong to it.
  private static let groupLength = MediaDuration.milliseconds(5)
  /// Packets that a path has held up and lets go together arrive this close to each other.
  private static let burstInterval = MediaDuration.milliseconds(5)
  private static let longestBurst = MediaDuration.milliseconds(100)
  /// A step of the other side's clock that is no delay.
  private static let longestStep = MediaDuration.seconds(3 as Int64)

  struct Delta {
    /// Between the last packets of two groups.
    var sending: MediaDuration
    var arrival: MediaDuration
  }

  private struct Group {
    var firstSentAt: MediaInstant
    var lastSentAt: MediaInstant
    var firstArrival: MediaInstant
    var lastArrival: MediaInstant
  }

  private var current: Group?
  private var previous: Group?

  /// Takes a packet; the difference between the two groups before, if this one begins another.
  mutating func add(_ packet: AcknowledgedPacket) -> Delta? {
    guard var group = current else {
      current = Self.begin(packet)
      return nil
    }
    // Sent before this group: it came late, and says nothing about the groups that have been compared.
    guard packet.sentAt >= group.firstSentAt else { return nil }
    if belongs(packet, to: group) {
      group.lastSentAt = max(group.lastSentAt, packet.sentAt)
      group.lastArrival = max(group.lastArrival, packet.arrival)
      current = group
      return nil
    }
    let delta = previous.map {
      Delta(sending: group.lastSentAt - $0.lastSentAt, arrival: group.lastArrival - $0.lastArrival)
    }
    previous = group
    current = Self.begin(packet)
    guard let delta else { return nil }
    guard delta.arrival >= .zero, delta.arrival - delta.sending < Self.longestStep, delta.sending < Self.longestStep
    else {
      // Its clock was set, or nothing was sent for long: what was before cannot be compared.
      previous = nil
      return nil
    }
    return delta
  }

  private func belongs(_ packet: AcknowledgedPacket, to group: Group) -> Bool {
    if packet.sentAt - group.firstSentAt <= Self.groupLength { return true }
    let arrivalDelta = packet.arrival - group.lastArrival
    guard arrivalDelta >= .zero else { return false }
    let propagation = arrivalDelta - (packet.sentAt - group.lastSentAt)
    return propagation < .zero && arrivalDelta <= Self.burstInterval
      && packet.arrival - group.firstArrival < Self.longestBurst
  }

  private static func begin(_ packet: AcknowledgedPacket) -> Group {
    Group(
      firstSentAt: packet.sentAt, lastSentAt: packet.sentAt, firstArrival: packet.arrival, lastArrival: packet.arrival)
  }
}
