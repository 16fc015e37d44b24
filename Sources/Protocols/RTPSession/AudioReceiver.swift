import MediaBase
import RTPWire

/// One received audio stream: counts, and keeps duplicates out.
struct AudioReceiver {
  let ssrc: UInt32
  var reception = ReceptionStatistics(clockRate: 48_000)
  private var counters = ReceiveStatistics()

  init(ssrc: UInt32) { self.ssrc = ssrc }

  var statistics: ReceiveStatistics {
    var result = counters
    result.packetsLost = max(0, Int(reception.cumulativeLost))
    result.jitter = reception.jitter
    return result
  }

  /// Whether the packet is new, and whether it is the stream's first.
  mutating func receive(_ header: RTPHeader, payloadBytes: Int, now: MediaInstant) -> (isNew: Bool, isFirst: Bool) {
    let isFirst = reception.highest == nil
    switch reception.receive(header, now: now) {
    case .accepted, .restarted:
      counters.packetsReceived &+= 1
      counters.payloadBytesReceived &+= payloadBytes
      return (true, isFirst)
    case .duplicate, .rejected:
      counters.packetsDiscarded &+= 1
      return (false, false)
    }
  }
}
