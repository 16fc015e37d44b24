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

  /// How much faster than the estimate media usually goes out: pictures differ in size, and queues here are empty.
  public static let usualFactor = 2.5
  private static let runLength = 0.005
  /// A run is at least two packets.
  private static let shortestRun = 2_400.0
  private static let longestDebt = 0.5
  /// What has waited is gone after this many seconds, whatever the estimate says.
  private static let longestWait = 1.0
  /// A probe that takes longer is given up: it takes 15 ms, if there is enough to send.
  private static let probePatience = MediaDuration.milliseconds(150)

  /// Bytes a second; `nil` for no limit.
  private var rate: Double?
  private var paces = false
  /// Bytes that have gone out and whose time has not passed.
  private var debt = 0.0
  private var isRunOpen = true
  private var updated: MediaInstant
  private var probe: Probe?
  /// Whether the packet that `next` let out last is part of the probe.
  private var isPartOfProbe = false

  private struct Probe {
    var cluster: ProbeCluster
    var wanted: MediaInstant
    var begin: MediaInstant?
    var packetCount = 0
    var byteCount = 0
  }

  /// Makes a pacer without limit.
  public init(now: MediaInstant) { updated = now }

  /// Sets the pace. `targetBitrate` is the estimate in bits per second, `nil` if there is none; `queuedByteCount` is what
  /// waits and cannot be made less; `factor` is how much faster than the estimate media may go out. Where `isLimited` is
  /// false, the estimate is no more than what has been tried: only probes are paced then.
  public mutating func setRate(
    targetBitrate: Int?, isLimited: Bool = true, queuedByteCount: Int = 0, factor: Double = usualFactor
  ) {
    rate = targetBitrate.map {
      max(Double($0) * factor / 8, Double(queuedByteCount) / Self.longestWait, 1_000)
    }
    paces = isLimited && rate != nil
    if !paces { debt = 0 }
  }

  /// Whether media may have to wait.
  public var isPacing: Bool { paces }

  /// How many bytes of media the present run still takes; at least 1, since a run begins with a whole packet.
  public var runByteCountLeft: Int { paces ? max(Int(runByteCount - debt), 1) : 65_536 }

  /// Whether a probe is being sent.
  public var isProbing: Bool { probe != nil }

  /// The probe that the packet belongs to which `next` has let out; 0 for none.
  public var cluster: UInt8 { isPartOfProbe ? probe?.cluster.id ?? 0 : 0 }

  /// Bytes that the probe still lacks.
  public var probeByteCountLeft: Int { probe.map { max($0.cluster.minimumByteCount - $0.byteCount, 1) } ?? 0 }

  /// Sends what comes next at the rate of `cluster`, until that has enough. While there is no estimate, media does not wait
  /// for the probe's pace, but goes beside it.
  public mutating func begin(_ cluster: ProbeCluster, now: MediaInstant) {
    update(now: now)
    probe = Probe(cluster: cluster, wanted: updated)
  }

  /// What to send now of what is `waiting`; padding only while a probe lacks packets. `nil` to wait for `nextTimeout`.
  public mutating func next(of waiting: Kinds, now: MediaInstant) -> Kinds? {
    update(now: now)
    isPartOfProbe = false
    if waiting.contains(.audio) { return .audio }
    guard let due = probeDue else { return mayContinueRun ? Self.first(of: waiting) : nil }
    if rate == nil, let media = Self.first(of: waiting) { return media }
    guard due <= updated else { return nil }
    let kind = Self.first(of: waiting) ?? (waiting.contains(.padding) ? .padding : nil)
    isPartOfProbe = kind != nil
    return kind
  }

  /// Takes note of a packet that `next` has let out.
  public mutating func sent(byteCount: Int, now: MediaInstant) {
    update(now: now)
    if paces, let rate { debt = min(debt + Double(byteCount), rate * Self.longestDebt) }
    if paces, debt >= runByteCount { isRunOpen = false }
    guard isPartOfProbe, var probe else { return }
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
    if let due = probeDue, rate != nil || Self.first(of: waiting) == nil {
      return waiting.isEmpty ? nil : max(due, updated)
    }
    guard Self.first(of: waiting) != nil else { return nil }
    guard !mayContinueRun, let rate else { return updated }
    return updated + .seconds(debt / rate) + .microseconds(1)
  }

  private var mayContinueRun: Bool { !paces || isRunOpen }

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
    if paces, let rate {
      debt = max(debt - rate * elapsed.seconds, 0)
      if debt == 0 { isRunOpen = true }
    } else {
      isRunOpen = true
    }
    if let probe, now - (probe.begin ?? probe.wanted) > Self.probePatience { self.probe = nil }
  }

  private static func first(of waiting: Kinds) -> Kinds? {
    if waiting.contains(.retransmission) { return .retransmission }
    return waiting.contains(.video) ? .video : nil
  }
}
