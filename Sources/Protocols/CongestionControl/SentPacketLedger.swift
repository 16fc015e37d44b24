public import MediaBase

/// What was sent lately, by transport-wide sequence number: a ring of 16 KiB that is taken with the first packet.
///
/// One write for each packet sent, so that a server can afford one for each subscriber.
public struct SentPacketLedger: ~Copyable {
  /// How far back feedback may reach: at 10 Mb/s two seconds.
  public static let capacity = 2_048
  /// Older packets are not known any more: their place may be that of another time.
  static let maximumAge = MediaDuration.seconds(10 as Int64)

  /// What is known of a packet's fate.
  enum State: UInt8 {
    case unknown, inFlight, lost, received
  }

  /// Eight bytes for a packet.
  private struct Entry {
    /// In microseconds; wraps after 71 minutes.
    var sentAt: UInt32
    var byteCount: UInt16
    var cluster: UInt8
    /// The state, and above it the bits of the number that the place does not tell.
    var mark: UInt8
  }

  /// A packet that feedback has named.
  struct Packet {
    var sentAt: MediaInstant
    var byteCount: Int
    /// The probe that it was part of; 0 for none.
    var cluster: UInt8
    var state: State
  }

  private var entries: UnsafeMutablePointer<Entry>?

  /// An empty ledger, which has taken no memory yet.
  public init() {}

  deinit { entries?.deallocate() }

  /// Whether the ring has been taken.
  public var isEmpty: Bool { entries == nil }

  /// Records a packet that goes out now. `cluster` is that of the probe it is part of, 0 for none.
  public mutating func record(_ number: UInt16, byteCount: Int, cluster: UInt8, now: MediaInstant) {
    if entries == nil {
      let ring = UnsafeMutablePointer<Entry>.allocate(capacity: Self.capacity)
      ring.initialize(repeating: Entry(sentAt: 0, byteCount: 0, cluster: 0, mark: 0), count: Self.capacity)
      entries = ring
    }
    entries?[Self.slot(number)] = Entry(
      sentAt: Self.microseconds(now), byteCount: UInt16(clamping: byteCount), cluster: cluster,
      mark: Self.mark(number, .inFlight))
  }

  /// The packet with this number if it is not too old.
  func packet(_ number: UInt16, now: MediaInstant) -> Packet? {
    guard let entries else { return nil }
    let entry = entries[Self.slot(number)]
    guard entry.mark & 0xFC == Self.mark(number, .unknown), let state = State(rawValue: entry.mark & 3),
      state != .unknown
    else { return nil }
    let age = MediaDuration.microseconds(Int64(Self.microseconds(now) &- entry.sentAt))
    guard age <= Self.maximumAge else { return nil }
    return Packet(
      sentAt: now - age, byteCount: Int(entry.byteCount), cluster: entry.cluster, state: state)
  }

  /// Notes the fate of a packet that `packet(_:now:)` has found.
  mutating func setState(_ state: State, of number: UInt16) {
    entries?[Self.slot(number)].mark = Self.mark(number, state)
  }

  private static func slot(_ number: UInt16) -> Int { Int(number) & (capacity - 1) }

  private static func mark(_ number: UInt16, _ state: State) -> UInt8 {
    UInt8(truncatingIfNeeded: number &>> 11) &<< 2 | state.rawValue
  }

  private static func microseconds(_ instant: MediaInstant) -> UInt32 {
    UInt32(truncatingIfNeeded: instant.nanoseconds / 1_000)
  }
}
