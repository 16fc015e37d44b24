import CongestionControl
import MediaBase

/// The path to a subscriber that gives no transport-wide feedback and only says how much it can get (REMB).
///
/// Such a receiver knows what has come: it believes in half as much again at most, comes to that by 8 % a second, and
/// forgets a wide path while little is sent. So what it says limits nothing before it falls, or stays below what is sent,
/// and no longer than until all fits that is wanted. Meanwhile padding fills what it leaves free, so that it can grow: who
/// gets too little would never say more, and who gets nothing never anything again.
struct ToldPath {
  /// What is told falls if it is less than this share of what was told before.
  private static let fall = 0.97
  /// It is below what is sent if it is less than this share of it.
  private static let shareOfSent = 0.92
  /// It stays if it is not this much more than `referenceAge` ago.
  private static let growth = 1.05
  private static let referenceAge = MediaDuration.seconds(1 as Int64)
  private static let referenceLife = MediaDuration.seconds(2 as Int64)
  /// How long after a fall padding begins: the first time, and after padding has led to one again and again.
  private static let waits = (first: MediaDuration.seconds(3 as Int64), longest: MediaDuration.seconds(12 as Int64))
  /// A fall so soon after padding is due to it, if that has gone on for `leastPaddingTime`: at its beginning receivers that
  /// have seen nothing for long err.
  private static let blame = MediaDuration.seconds(2 as Int64)
  private static let leastPaddingTime = MediaDuration.seconds(1 as Int64)
  /// Between two trains of padding, and how long one may have been in coming.
  private static let paddingIntervals = MediaDuration.milliseconds(90)...MediaDuration.milliseconds(200)
  /// What the path carries of a packet of padding, about.
  private static let paddingByteCount = 320.0

  /// What may be sent, in bits per second; nil for everything.
  private(set) var limit: Double?
  /// What all that is wanted takes, in bits per second.
  var demand = 0.0
  private var told: Double?
  private var reference: (bitrate: Double, time: MediaInstant)?
  /// Payload of video, which is the least that receivers count.
  private var video = SentRates()
  /// What the path carries of video, also what is sent again, without padding.
  private var carried = SentRates()
  private var sentByteCount: UInt32 = 0
  private var wait = Self.waits.first
  private var paddingBegins = MediaInstant.zero
  private var padding: (first: MediaInstant, last: MediaInstant)?
  /// Bytes of padding that have not gone out yet, since they are no whole packet.
  private var paddingLeft = 0.0

  /// Takes what the receiver says.
  mutating func received(bitrate: Double, now: MediaInstant) {
    defer { told = bitrate }
    if let told, bitrate < told * Self.fall { return fell(to: bitrate, now: now) }
    if limit != nil {
      limit = bitrate
    } else if isBelowSent(bitrate, now: now) {
      return fell(to: bitrate, now: now)
    }
    if reference.map({ now - $0.time >= Self.referenceLife }) ?? true { reference = (bitrate, now) }
  }

  private func isBelowSent(_ bitrate: Double, now: MediaInstant) -> Bool {
    guard let least = video.leastBitrate, bitrate < least * Self.shareOfSent else { return false }
    guard let reference else { return true }
    return now - reference.time >= Self.referenceAge && bitrate < reference.bitrate * Self.growth
  }

  private mutating func fell(to bitrate: Double, now: MediaInstant) {
    if let padding, now - padding.last < Self.blame {
      if now - padding.first >= Self.leastPaddingTime {
        wait = min(wait * 2, Self.waits.longest)
        paddingBegins = now + wait
        self.padding = nil
      }
    } else {
      if limit == nil { wait = Self.waits.first }
      paddingBegins = max(paddingBegins, now + Self.waits.first)
    }
    limit = bitrate
    reference = (bitrate, now)
  }

  /// Everything fits that is wanted.
  mutating func release() {
    limit = nil
    reference = nil
    wait = Self.waits.first
  }

  /// Takes note of datagrams that go out, without padding.
  mutating func sent(byteCount: Int) { sentByteCount &+= UInt32(truncatingIfNeeded: byteCount) }

  /// Takes note of how much has been sent so far, modulo 2^32; to be called ten times a second.
  ///
  /// - Parameters:
  ///   - video: bytes of payload.
  ///   - audio: bytes that the path carries; receivers estimate without it.
  mutating func noteSent(video: UInt32, audio: UInt32, now: MediaInstant) {
    self.video.note(video, now: now)
    carried.note(sentByteCount &- audio, now: now)
  }

  /// Padding that should go out now.
  mutating func takePadding(now: MediaInstant) -> ProbeCluster? {
    guard let limit, demand > limit, now >= paddingBegins else { return nil }
    var elapsed = Self.paddingIntervals.lowerBound
    if let before = padding, now - before.last < Self.blame {
      elapsed = now - before.last
      guard elapsed >= Self.paddingIntervals.lowerBound else { return nil }
      padding = (before.first, now)
    } else {
      padding = (now, now)
    }
    let room = max(limit - (carried.newestBitrate ?? limit), 0)
    paddingLeft += room * min(elapsed, Self.paddingIntervals.upperBound).seconds / 8
    let count = (paddingLeft / Self.paddingByteCount).rounded(.down)
    guard count >= 1 else { return nil }
    paddingLeft -= count * Self.paddingByteCount
    var cluster = ProbeCluster(id: 1, bitrate: Int(room * 1.2) + 20_000)
    cluster.minimumPacketCount = Int(min(count, 10_000))
    cluster.minimumByteCount = 1
    return cluster
  }
}

/// How much was sent lately, in windows of half a second.
private struct SentRates {
  private static let window = MediaDuration.milliseconds(500)

  private var start: MediaInstant?
  private var atStart: UInt32 = 0
  /// Bits per second, newest first.
  private var windows = SIMD4<Float>(repeating: 0)
  private var count = 0

  mutating func note(_ byteCount: UInt32, now: MediaInstant) {
    guard let start else {
      (atStart, self.start) = (byteCount, now)
      return
    }
    guard now - start >= Self.window else { return }
    // What was counted goes down if a track has gone.
    let bytes = Int32(bitPattern: byteCount &- atStart)
    let bitrate = Float(max(bytes, 0)) * 8 / Float((now - start).seconds)
    windows = SIMD4(bitrate, windows[0], windows[1], windows[2])
    count = min(count + 1, 4)
    (atStart, self.start) = (byteCount, now)
  }

  var newestBitrate: Double? { count > 0 ? Double(windows[0]) : nil }

  /// In the quietest of the last four windows.
  var leastBitrate: Double? { count == 4 ? Double(windows.min()) : nil }
}
