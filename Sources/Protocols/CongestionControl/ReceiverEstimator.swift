public import MediaBase

/// How much a sender may send to this side, for one that leaves the estimate to its receiver (REMB): by how the delay of
/// its packets changes (draft-ietf-rmcat-gcc-02, as run by the receiver).
///
/// Its owner hands it every packet that says when it was sent, and tells the sender what `takeDue(now:)` gives.
public struct ReceiverEstimator {
  /// Between two estimates that are told.
  private static let reportInterval = MediaDuration.seconds(1 as Int64)
  /// Between two looks at what has come.
  private static let updateInterval = MediaDuration.milliseconds(50)
  /// A fall to less than this is told at once.
  private static let alarm = 0.97
  /// The time to the sender and back is not known.
  private static let presumedRoundTripTime = MediaDuration.milliseconds(200)
  private static let range = 50_000.0...50_000_000.0

  private var clock = SendTimeClock()
  private var groups = PacketGroups()
  private var detector = OveruseDetector()
  private var incoming = AcknowledgedRate()
  private var aimd = AIMDRateControl(rate: Self.range.lowerBound, range: Self.range)
  private var hasEstimate = false
  private var lastUpdate: MediaInstant?
  private var told: (bitrate: Double, time: MediaInstant)?

  /// Nothing has come.
  public init() {}

  /// Takes note of a packet.
  ///
  /// - Parameters:
  ///   - sendTime: as the packet says, in units of 2^-18 s, modulo 2^24.
  ///   - byteCount: what the path carries of it.
  public mutating func arrived(sendTime: UInt32, byteCount: Int, now: MediaInstant) {
    let packet = AcknowledgedPacket(sentAt: clock.unwrap(sendTime), arrival: now, byteCount: byteCount, cluster: 0)
    incoming.add(byteCount: byteCount, arrival: now, limit: .infinity, isApplicationLimited: false)
    let before = detector.usage
    if let delta = groups.add(packet) { detector.add(delta, now: now) }
    let isAlarming = detector.usage == .overusing && before != .overusing
    guard isAlarming || lastUpdate.map({ now - $0 >= Self.updateInterval }) ?? true else { return }
    lastUpdate = now
    guard let rate = incoming.bitsPerSecond else { return }
    if !hasEstimate { aimd.setRate(rate, now: now) }
    hasEstimate = true
    aimd.update(
      detector.usage, acknowledged: rate, limit: .infinity, roundTripTime: Self.presumedRoundTripTime, now: now)
  }

  /// Whether the sender should be told the estimate now.
  public func isDue(now: MediaInstant) -> Bool {
    guard hasEstimate else { return false }
    guard let told else { return true }
    return aimd.rate < told.bitrate * Self.alarm || now - told.time >= Self.reportInterval
  }

  /// The estimate in bits per second, if it should be told now; it is taken to be told.
  public mutating func takeDue(now: MediaInstant) -> UInt64? {
    guard isDue(now: now) else { return nil }
    told = (aimd.rate, now)
    return UInt64(aimd.rate)
  }
}

/// Takes the wraps out of 24 bits of time in units of 2^-18 s.
private struct SendTimeClock {
  private var latest: Int64?

  mutating func unwrap(_ time: UInt32) -> MediaInstant {
    let value = Int64(time & 0xFF_FFFF)
    var units = value
    if let latest {
      // The difference, from -2^23 to 2^23 - 1.
      units = latest &+ (((value &- latest) & 0xFF_FFFF) ^ 0x80_0000) &- 0x80_0000
    }
    latest = units
    return MediaInstant(nanoseconds: units / 262_144 * 1_000_000_000 + units % 262_144 * 1_000_000_000 / 262_144)
  }
}
