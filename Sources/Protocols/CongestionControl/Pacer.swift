public import MediaBase

/// Spreads packets over time in runs: what fits into 5 ms goes out together, since a run costs little more than a packet.
///
/// Sound is never held up, retransmissions go before video, padding fills what is left of a probe. It holds no packets:
/// the owner asks what to send next, and says what it has sent.
public struct Pacer: Sendable {
  /// What waits to be sent, in the order in which it goes.
  public struct Kinds: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Sound.
    public static let audio = Kinds(rawValue: 1)
    /// What the other side has asked for again.
    public static let retransmission = Kinds(rawValue: 2)
    /// Pictures.
    public static let video = Kinds(rawValue: 4)
    /// Bytes that only fill a probe.
    public static let padding = Kinds(rawValue: 8)
  }

  /// Media may go out this much faster than the estimate: pictures differ in size, and queues here are empty.
  private static let factor = 2.5
  private static let runLength = 0.005
  /// A run is at least two packets.
  private static let shortestRun = 2_400.0
  private static let longestDebt = 0.5
  /// What has waited is gone after this time, whatever the estimate says.
  private static let longestWait = 2.0
  /// A probe whose packets are late by this is not made up for.
  private static let probePatience = MediaDuration.milliseconds(100)

  /// Bytes a second; `nil` for no limit.
  private var rate: Double?
  /// Bytes that have gone out and whose time has not passed.
  private var debt = 0.0
  private var isRunOpen = true
  private var updated: MediaInstant
  private var probe: (cluster: ProbeCluster, begin: MediaInstant?, packetCount: Int, byteCount: Int)?

  /// Makes a pacer without limit.
  public init(now: MediaInstant) { updated = now }

  /// Sets the pace. `targetBitrate` is the estimate in bits per second, `nil` for no limit; `queuedByteCount` is what waits.
  public mutating func setRate(targetBitrate: Int?, queuedByteCount: Int = 0) {
    rate = targetBitrate.map {
      max(Double($0) * Self.factor / 8, Double(queuedByteCount) / Self.longestWait, 1_000)
    }
    if rate == nil { debt = 0 }
  }

  /// Whether a probe is being sent.
  public var isProbing: Bool { probe != nil }

  /// The probe that the next packet belongs to; 0 for none.
  public var cluster: UInt8 { probe?.cluster.id ?? 0 }

  /// Bytes that the probe still lacks.
  public var probeByteCountLeft: Int { probe.map { max($0.cluster.minimumByteCount - $0.byteCount, 1) } ?? 0 }

  /// Sends what comes next at the rate of `cluster`, until that has enough.
  public mutating func begin(_ cluster: ProbeCluster) { probe = (cluster, nil, 0, 0) }

  /// What to send now of what is `waiting`; padding only while a probe lacks packets. `nil` to wait for `nextTimeout`.
  public mutating func next(of waiting: Kinds, now: MediaInstant) -> Kinds? {
    update(now: now)
    if waiting.contains(.audio) { return .audio }
    if probe != nil {
      guard let due = probeDue, due <= now else { return nil }
      if let media = Self.first(of: waiting) { return media }
      return waiting.contains(.padding) ? .padding : nil
    }
    guard mayContinueRun else { return nil }
    return Self.first(of: waiting)
  }

  /// Takes note of a packet that `next` has let out.
  public mutating func sent(byteCount: Int, now: MediaInstant) {
    update(now: now)
    if let rate { debt = min(debt + Double(byteCount), rate * Self.longestDebt) }
    if debt >= runByteCount { isRunOpen = false }
    guard var probe else { return }
    if probe.begin == nil { probe.begin = now }
    probe.packetCount += 1
    probe.byteCount += byteCount
    let isDone =
      probe.packetCount >= probe.cluster.minimumPacketCount && probe.byteCount >= probe.cluster.minimumByteCount
    self.probe = isDone ? nil : probe
  }

  /// When something of what is `waiting` may go out; `nil` if nothing waits.
  public func nextTimeout(of waiting: Kinds) -> MediaInstant? {
    if waiting.contains(.audio) { return updated }
    if probe != nil { return waiting.isEmpty ? nil : max(probeDue ?? updated, updated) }
    guard Self.first(of: waiting) != nil else { return nil }
    guard !mayContinueRun, let rate else { return updated }
    return updated + .seconds(debt / rate) + .microseconds(1)
  }

  private var mayContinueRun: Bool { rate == nil || isRunOpen }

  private var runByteCount: Double { max((rate ?? 0) * Self.runLength, Self.shortestRun) }

  private var probeDue: MediaInstant? {
    guard let probe else { return nil }
    guard let begin = probe.begin else { return updated }
    return begin + .seconds(Double(probe.byteCount) * 8 / Double(probe.cluster.bitrate))
  }

  private mutating func update(now: MediaInstant) {
    let elapsed = now - updated
    guard elapsed > .zero else { return }
    updated = now
    if let rate {
      debt = max(debt - rate * elapsed.seconds, 0)
      if debt == 0 { isRunOpen = true }
    } else {
      isRunOpen = true
    }
    if let due = probeDue, now - due > Self.probePatience { probe = nil }
  }

  private static func first(of waiting: Kinds) -> Kinds? {
    if waiting.contains(.retransmission) { return .retransmission }
    return waiting.contains(.video) ? .video : nil
  }
}
