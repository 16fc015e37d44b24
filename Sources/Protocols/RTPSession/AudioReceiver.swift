import MediaBase
import RTPWire

/// One received audio stream: counts, and keeps duplicates out.
struct AudioReceiver {
  let ssrc: UInt32
  var reception = ReceptionStatistics(clockRate: 48_000)
  private var counters = ReceiveStatistics()
  /// When sound was captured.
  var captureClock = CaptureClock(clockRate: 48_000)
  /// The last packet, and how many samples lie between packets that follow each other.
  private var last: (number: UInt16, timestamp: UInt32)?
  private var packetLength: UInt32 = 0

  init(ssrc: UInt32) { self.ssrc = ssrc }

  var statistics: ReceiveStatistics {
    var result = counters
    result.packetsLost = max(0, Int(reception.cumulativeLost))
    result.jitter = reception.jitter
    result.endToEndDelay = captureClock.delay
    result.transit = captureClock.transit
    let length = MediaDuration.samples(Int(packetLength))
    result.networkDelay = captureClock.delay.map { max(.zero, $0 - length) }
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

  /// A new packet has come. How long it is its payload would say, were that not encrypted at times.
  mutating func completed(_ header: RTPHeader, wallTime: MediaInstant) {
    if let last, header.sequenceNumber == last.number &+ 1 {
      let length = header.timestamp &- last.timestamp
      // The longest packet of Opus (RFC 6716 section 2.1.4); what is more is silence in between.
      if length <= 5_760 { packetLength = length }
    }
    last = (header.sequenceNumber, header.timestamp)
    captureClock.completed(header.timestamp, wallTime: wallTime)
  }
}
