import MediaBase

/// One track on its way to one subscriber: its own numbers, continuous whatever the publisher does.
///
/// A stretch begins whenever forwarding starts or resumes (for video with a key frame); within it the publisher's
/// numbers are shifted by constants, so that gaps by loss stay gaps and a late packet finds its place.
struct Egress {
  enum Phase: UInt8 {
    /// Not wanted, not published, or the subscriber is not connected.
    case inactive
    /// Wants the next start: a key frame for video, any packet for audio.
    case waiting
    case forwarding
  }

  let kind: TrackKind
  /// The subscriber's number in the pool of peers.
  let subscriber: Int32
  /// The stream's number in the pool of streams.
  let stream: Int32
  let ssrc: UInt32
  let rtxSSRC: UInt32
  var isWanted: Bool
  var phase = Phase.inactive
  /// Whether it hangs in its subscriber's list of egresses with work.
  var isLinked = false
  /// The next one in that list.
  var next: Int32 = Pool<Egress>.none

  /// The next of the stream's arrivals to look at.
  var cursor: UInt64 = 0
  /// Arrivals before this one belong to the time before the present wait.
  var cursorFloor: UInt64 = 0
  /// The publisher's index of the stretch's first packet.
  var firstIndex: Int64 = 0
  /// The publisher's index less ours.
  var sequenceOffset: Int64 = 0
  /// Our index of the newest packet sent.
  var highestSequence: Int64
  var timestampOffset: UInt32 = 0
  var highestTimestamp: UInt32 = 0
  var pictureIDOffset: UInt16 = 0
  var highestPictureID: UInt16 = 0
  var tl0PicIdxOffset: UInt8 = 0
  var highestTL0PicIdx: UInt8 = 0
  var lastSendTime = MediaInstant.zero
  var nextRTXSequenceNumber: UInt16
  var packetCount: UInt32 = 0
  var octetCount: UInt32 = 0
  /// Whether the receiver has reported on the stream, so that it has what its first packets say.
  var isAcknowledged = false

  /// Sequence numbers start below 2^15, so that the receiver cannot miscount the first roll-over.
  init(
    kind: TrackKind, subscriber: Int32, stream: Int32, ssrc: UInt32, rtxSSRC: UInt32, isWanted: Bool,
    firstSequenceNumber: UInt16, firstRTXSequenceNumber: UInt16
  ) {
    self.kind = kind
    self.subscriber = subscriber
    self.stream = stream
    self.ssrc = ssrc
    self.rtxSSRC = rtxSSRC
    self.isWanted = isWanted
    highestSequence = Int64(firstSequenceNumber & 0x7FFF) - 1
    nextRTXSequenceNumber = firstRTXSequenceNumber & 0x7FFF
  }

  /// Takes over the numbers of an egress that has ended, so that its receiver sees one stream.
  mutating func goOn(from before: Egress) {
    highestSequence = before.highestSequence
    nextRTXSequenceNumber = before.nextRTXSequenceNumber
    highestTimestamp = before.highestTimestamp
    timestampOffset = before.timestampOffset
    highestPictureID = before.highestPictureID
    highestTL0PicIdx = before.highestTL0PicIdx
    lastSendTime = before.lastSendTime
    packetCount = before.packetCount
    octetCount = before.octetCount
    isAcknowledged = before.isAcknowledged
  }

  /// How far behind the start of a key frame packets that overtook it are looked for.
  private static let reorderingDepth: UInt64 = 64

  /// The next packet to forward, or nil when all arrivals are dealt with. `cursor` stays on it: the caller moves on.
  mutating func nextPacket(of stream: inout IngressStream, now: MediaInstant) -> PacketRecord? {
    while cursor < stream.arrivalCount {
      guard let record = stream.history.record(arrivedAs: cursor) else {
        cursor &+= 1
        continue
      }
      if phase == .waiting, kind == .audio || record.startsKeyFrame {
        begin(with: record, now: now)
        stream.keyFrames.subscriberStopsWaiting()
        cursor = max(cursorFloor, cursor > Self.reorderingDepth ? cursor - Self.reorderingDepth : 0)
        continue
      }
      if phase == .forwarding, record.index >= firstIndex { return record }
      cursor &+= 1
    }
    return nil
  }

  /// Begins a stretch with `record` right behind the last one.
  private mutating func begin(with record: PacketRecord, now: MediaInstant) {
    phase = .forwarding
    firstIndex = record.index
    sequenceOffset = record.index - (highestSequence + 1)
    if packetCount == 0 {
      highestTimestamp = record.timestamp &- 1
      highestPictureID = (record.pictureID &- 1) & 0x7FFF
      highestTL0PicIdx = record.tl0PicIdx &- 1
      return
    }
    // The publisher's clock runs on while nothing is forwarded; it is followed unless it makes no sense.
    let elapsed = (now - lastSendTime).nanoseconds / 1_000 &* kind.clockRate / 1_000_000
    let advance = Int64(Int32(bitPattern: record.timestamp &- timestampOffset &- highestTimestamp))
    if advance <= 0 || advance > elapsed + 10 * kind.clockRate {
      let step = UInt32(truncatingIfNeeded: max(elapsed, kind.clockRate / 50))
      timestampOffset = record.timestamp &- (highestTimestamp &+ step)
    }
    pictureIDOffset = (record.pictureID &- (highestPictureID &+ 1)) & 0x7FFF
    tl0PicIdxOffset = record.tl0PicIdx &- (highestTL0PicIdx &+ 1)
  }

  /// The publisher's index of a packet sent under `sequenceNumber` in the present stretch.
  func publisherIndex(of sequenceNumber: UInt16) -> Int64? {
    guard phase == .forwarding, packetCount > 0 else { return nil }
    let behind = UInt16(truncatingIfNeeded: highestSequence) &- sequenceNumber
    guard behind < 0x8000 else { return nil }
    let index = highestSequence - Int64(behind) + sequenceOffset
    return index >= firstIndex ? index : nil
  }
}
