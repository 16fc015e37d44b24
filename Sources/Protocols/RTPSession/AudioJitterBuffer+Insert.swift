import MediaBase
import RTPWire

extension AudioJitterBuffer {
  /// Takes a packet that arrived at `now`.
  public mutating func insert(_ packet: ReceivedAudioPacket, now: MediaInstant) {
    statistics.packetsReceived &+= 1
    let payload = packet.payload
    guard let sampleCount = try? OpusTOC.sampleCount(of: payload.span.bytes) else {
      statistics.packetsRefused &+= 1
      return
    }
    if jumps(packet) { restart() }
    let timestamp = unwrap(packet.timestamp)
    let entry = Entry(
      packet: packet, index: sequence.unwrap(packet.sequenceNumber), timestamp: timestamp, sampleCount: sampleCount)
    delay.add(timestamp: timestamp, arrival: now)
    if case .playing = state, timestamp < next {
      statistics.packetsLate &+= 1
      return
    }
    var position = entries.count
    while position > 0, entries[position - 1].timestamp >= timestamp { position -= 1 }
    if position < entries.count, entries[position].timestamp == timestamp {
      statistics.packetsRefused &+= 1
      return
    }
    entries.insert(entry, at: position)
    if entries.count > Self.capacity {
      entries.removeFirst()
      statistics.packetsLate &+= 1
    }
  }

  /// Whether the packet belongs to another run of timestamps or sequence numbers than those before.
  private func jumps(_ packet: ReceivedAudioPacket) -> Bool {
    guard let newest, let highest = sequence.highest else { return false }
    let difference = Int64(Int32(bitPattern: packet.timestamp &- newest.timestamp))
    let steps = sequence.peek(packet.sequenceNumber) - highest
    if abs(steps) > 1_000 || difference < -Self.longestJump { return true }
    // A sender that is silent sends nothing: the number goes on by one, and the clock by any time (RFC 7587 section 3.1.3).
    return difference > Self.longestJump && steps != 1
  }

  private mutating func restart() {
    entries.removeAll(keepingCapacity: true)
    delay = AudioDelayEstimator()
    sequence = SequenceUnwrapper()
    newest = nil
    last = nil
    statistics.restarts &+= 1
    state = .buffering
  }

  private mutating func unwrap(_ timestamp: UInt32) -> Int64 {
    guard let newest else {
      self.newest = (timestamp, Int64(timestamp))
      return Int64(timestamp)
    }
    let unwrapped = newest.unwrapped &+ Int64(Int32(bitPattern: timestamp &- newest.timestamp))
    if unwrapped > newest.unwrapped { self.newest = (timestamp, unwrapped) }
    return unwrapped
  }
}
