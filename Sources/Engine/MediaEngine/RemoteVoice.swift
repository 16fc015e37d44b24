import MediaBase
import OpusCodec
import RTPSession

/// One remote user's way from packets to sound: jitter buffer, decoder, and what has been decoded and not played yet.
struct RemoteVoice {
  let handle: ConnectionHandle
  private var counts = AudioReceiveTotals()
  private var buffer = AudioJitterBuffer()
  private let decoder: OpusDecoder?
  /// Decoded stereo samples; those before `start` have been played.
  private var pending: [Int16] = []
  private var start = 0
  /// When packets came, by the last bits of their numbers: as many as the buffer can hold.
  private var arrivals = [MediaInstant](repeating: .zero, count: AudioJitterBuffer.capacity)
  private var hold: MediaDuration?
  /// How much of `pending` was made up, for the totals.
  private var isConcealed = false

  /// Samples per channel that are played at a time.
  static let frameCount = 480

  init(handle: ConnectionHandle) {
    self.handle = handle
    decoder = try? OpusDecoder(channelCount: 2)
  }

  /// Sound is held back by at least so much.
  mutating func setMinimumDelay(_ delay: MediaDuration) { buffer.setMinimumDelay(delay) }

  /// What has been played since the last call, and how long sound is held back now.
  mutating func takeTotals() -> AudioReceiveTotals {
    var totals = counts
    counts = AudioReceiveTotals()
    totals.delayMilliseconds = Int(buffer.targetDelay.milliseconds)
    totals.hold = hold
    return totals
  }

  mutating func insert(_ packet: ReceivedAudioPacket, receiveTime: MediaInstant) {
    arrivals[place(of: packet)] = receiveTime
    buffer.insert(packet, now: receiveTime)
  }

  private func place(of packet: ReceivedAudioPacket) -> Int { Int(packet.sequenceNumber) % arrivals.count }

  /// A packet is played behind what has been decoded and not played yet.
  private mutating func noteHold(of packet: ReceivedAudioPacket, now: MediaInstant) {
    let waiting = MediaDuration.samples((pending.count - start) / 2)
    let duration = now - arrivals[place(of: packet)] + waiting
    hold = hold.map { $0 + (duration - $0) / 16 } ?? duration
  }

  /// The next 10 ms of stereo; `nil` if there is nothing to hear.
  mutating func next(now: MediaInstant) -> ArraySlice<Int16>? {
    let wanted = 2 * Self.frameCount
    while pending.count - start < wanted {
      guard refill(now: now) else { return takeRest(wanted) }
    }
    defer { start += wanted }
    if isConcealed { counts.concealedFrames += 1 } else { counts.playedFrames += 1 }
    return pending[start..<start + wanted]
  }

  /// What is left before a silence, filled up with it.
  private mutating func takeRest(_ wanted: Int) -> ArraySlice<Int16>? {
    guard pending.count > start else { return nil }
    var rest = Array(pending[start...])
    rest += [Int16](repeating: 0, count: wanted - rest.count)
    pending.removeAll(keepingCapacity: true)
    start = 0
    return rest[...]
  }

  /// Decodes one more piece; false if now is silence.
  private mutating func refill(now: MediaInstant) -> Bool {
    guard let decoder else { return false }
    let piece: [Int16]?
    switch buffer.pull(now: now) {
    case .packet(let packet):
      noteHold(of: packet, now: now)
      piece = try? decoder.decode(packet.payload)
      isConcealed = false
    case .conceal(let sampleCount, let recovery):
      piece =
        recovery.flatMap { try? decoder.decodeFEC($0.payload, sampleCount: sampleCount) }
        ?? (try? decoder.conceal(sampleCount: sampleCount))
      isConcealed = true
    case .silence: return false
    }
    // A packet that cannot be decoded: its time passes in silence.
    guard let piece, !piece.isEmpty else { return false }
    pending.removeSubrange(..<start)
    start = 0
    pending += piece
    return true
  }
}
