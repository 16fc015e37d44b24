import MediaBase

/// One track on its way to one subscriber: its own numbers, continuous whatever the publisher does.
///
/// A segment begins whenever forwarding starts or resumes, for video with a key frame; also when another of the
/// publisher's encodings is taken, and behind pictures of temporal layers that were left out.
struct Egress {
  enum Phase: UInt8 {
    /// Not wanted, not published, or the subscriber is not connected.
    case inactive
    /// Wants the next start: a key frame for video, any packet for audio.
    case waiting
    case forwarding
  }

  // First what every run of packets touches, side by side.

  let kind: TrackKind
  var isWanted: Bool
  var phase = Phase.inactive
  /// Whether it hangs in its subscriber's list of egresses with work.
  var isLinked = false
  /// The next one in that list.
  var next: Int32 = Pool<Egress>.none
  /// The subscriber's number in the pool of peers.
  let subscriber: Int32
  /// The number in the pool of streams of the one that is forwarded or waited for.
  private(set) var stream: Int32
  let ssrc: UInt32
  var highestTimestamp: UInt32 = 0
  /// The next of the stream's arrivals to look at.
  var cursor: UInt64 = 0
  /// Our index of the newest packet sent.
  var highestSequence: Int64
  /// What is forwarded now.
  var segment: ForwardedSegment
  var highestPictureID: UInt16 = 0
  var highestTL0PicIdx: UInt8 = 0
  /// Whether the subscriber's path carries nothing of it.
  var isPaused = false
  var packetCount: UInt32 = 0
  var octetCount: UInt32 = 0
  var lastSendTime = MediaInstant.zero
  /// The stream that takes over with its next key frame.
  var pending = PendingLayer()
  /// Leaves out temporal layers, while there are such to be left out.
  var filter = TemporalFilter()

  let rtxSSRC: UInt32
  var nextRTXSequenceNumber: UInt16
  /// Whether it is one of those for whom `stream` is asked for a key frame.
  var isCountedAsWaiting = false
  /// Whether the receiver has reported on the stream, so that it has what its first packets say.
  var isAcknowledged = false
  /// Arrivals before this one belong to the time before the present wait.
  var cursorFloor: UInt64 = 0
  /// What was forwarded before, for those who ask for it again.
  var earlier = SegmentRing()
  /// What the subscriber asks for, and what its connection can carry.
  var wish = LayerTarget.best
  var allotment = LayerTarget.best

  /// Sequence numbers start below 2^15, so that the receiver cannot miscount the first roll-over.
  init(
    kind: TrackKind, subscriber: Int32, stream: Int32, ssrc: UInt32, rtxSSRC: UInt32, isWanted: Bool,
    firstSequenceNumber: UInt16, firstRTXSequenceNumber: UInt16
  ) {
    self.kind = kind
    self.subscriber = subscriber
    self.stream = stream
    segment = ForwardedSegment(stream: stream)
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
    segment = before.segment
    wish = before.wish
    allotment = before.allotment
    highestPictureID = before.highestPictureID
    highestTL0PicIdx = before.highestTL0PicIdx
    lastSendTime = before.lastSendTime
    packetCount = before.packetCount
    octetCount = before.octetCount
    isAcknowledged = before.isAcknowledged
  }

  /// How far behind the start of a key frame packets that overtook it are looked for.
  private static let reorderingDepth: UInt64 = 64

  /// What may be forwarded at most.
  var target: LayerTarget { wish.limited(by: allotment) }

  /// The next packet to forward, or nil when all arrivals are dealt with. The caller then calls `moveOn(past:)`.
  mutating func nextPacket(of stream: inout IngressStream, now: MediaInstant) -> PacketRecord? {
    if filter.isOn, phase == .forwarding { return nextFilteredPacket(of: stream, now: now) }
    while cursor < stream.arrivalCount {
      guard let record = stream.history.record(arrivedAs: cursor) else {
        cursor &+= 1
        continue
      }
      if phase == .waiting, kind == .audio || record.startsKeyFrame {
        begin(with: record, timestamp: nil, now: now)
        if isCountedAsWaiting { stream.keyFrames.subscriberStopsWaiting() }
        isCountedAsWaiting = false
        rewind(to: cursorFloor)
        adjustFilter(to: stream)
        if filter.isOn { return nextFilteredPacket(of: stream, now: now) }
        continue
      }
      if phase == .forwarding, record.index >= segment.firstIndex { return record }
      cursor &+= 1
    }
    return nil
  }

  /// Notes that a packet which `nextPacket` gave has been dealt with.
  mutating func moveOn(past record: PacketRecord) {
    if filter.isOn, record.index > filter.frontier { filter.frontier = record.index } else { cursor &+= 1 }
  }

  /// Looks again at the packets before `cursor`, that is before a key frame's start: some may have overtaken it.
  private mutating func rewind(to floor: UInt64) {
    cursor = max(floor, cursor > Self.reorderingDepth ? cursor - Self.reorderingDepth : 0)
  }

  /// Waits for a start of `stream`, from its arrival number `arrival` on.
  mutating func wait(for stream: Int32, from arrival: UInt64) {
    self.stream = stream
    phase = .waiting
    cursor = arrival
    cursorFloor = arrival
  }

  /// Goes on with the key frame that starts with `record`, of another stream, which is number `number` in the pool.
  ///
  /// - Parameter timestamp: what of our timestamps belongs to it, if that is known.
  mutating func change(
    to number: Int32, _ other: borrowing IngressStream, with record: PacketRecord, timestamp: UInt32?, now: MediaInstant
  ) {
    stream = number
    begin(with: record, timestamp: timestamp, now: now)
    cursor = record.arrival
    filter = TemporalFilter()
    adjustFilter(to: other)
    // The filter goes by the publisher's order anyway.
    if !filter.isOn { rewind(to: 0) }
  }

  /// Whether the newest packet sent is the last one of its picture.
  func isBetweenPictures(of stream: borrowing IngressStream) -> Bool {
    stream.history.record(of: highestSequence + segment.sequenceOffset)?.marker ?? true
  }

  /// Begins a segment with `record` right behind the last one.
  private mutating func begin(with record: PacketRecord, timestamp: UInt32?, now: MediaInstant) {
    if phase == .forwarding { earlier.append(segment) } else { earlier.removeAll() }
    let isSameStream = segment.stream == stream
    phase = .forwarding
    segment.stream = stream
    segment.firstIndex = record.index
    segment.sequenceOffset = record.index - (highestSequence + 1)
    if packetCount == 0 {
      highestTimestamp = record.timestamp &- 1
      highestPictureID = (record.pictureID &- 1) & 0x7FFF
      highestTL0PicIdx = record.tl0PicIdx &- 1
      return
    }
    segment.timestampOffset =
      record.timestamp &- startTimestamp(of: record, aligned: timestamp, isSameStream: isSameStream, now: now)
    segment.pictureIDOffset = (record.pictureID &- (highestPictureID &+ 1)) & 0x7FFF
    segment.tl0PicIdxOffset = record.tl0PicIdx &- (highestTL0PicIdx &+ 1)
  }

  /// What of our timestamps a new segment begins with. The publisher's clock runs on while nothing is forwarded; it is
  /// followed unless it makes no sense.
  private func startTimestamp(
    of record: PacketRecord, aligned: UInt32?, isSameStream: Bool, now: MediaInstant
  ) -> UInt32 {
    let elapsed = (now - lastSendTime).nanoseconds / 1_000 &* kind.clockRate / 1_000_000
    if isSameStream {
      let timestamp = record.timestamp &- segment.timestampOffset
      let advance = Int64(Int32(bitPattern: timestamp &- highestTimestamp))
      if advance > 0, advance <= elapsed + 10 * kind.clockRate { return timestamp }
    } else if let aligned {
      let advance = Int64(Int32(bitPattern: aligned &- highestTimestamp))
      if advance > 0, advance <= elapsed + kind.clockRate { return aligned }
      // The other encoding of a picture that has been sent, or of one before: a millisecond later by name.
      if advance <= 0, advance > -kind.clockRate { return highestTimestamp &+ UInt32(kind.clockRate / 1_000) }
    }
    let least = isSameStream ? kind.clockRate / 50 : kind.clockRate / 1_000
    return highestTimestamp &+ UInt32(truncatingIfNeeded: max(elapsed, least))
  }

  /// Our index of a packet that the receiver names by its number.
  func sequence(of sequenceNumber: UInt16) -> Int64? {
    guard phase == .forwarding, packetCount > 0 else { return nil }
    let behind = UInt16(truncatingIfNeeded: highestSequence) &- sequenceNumber
    return behind < 0x8000 ? highestSequence - Int64(behind) : nil
  }

  /// The segment in which our packet `sequence` lies; nil if that is too long ago.
  func segment(ofSequence sequence: Int64) -> ForwardedSegment? {
    if sequence >= segment.firstSequence { return segment }
    for age in 0..<earlier.count where sequence >= earlier[age: age].firstSequence { return earlier[age: age] }
    return nil
  }

  /// The segment in which the publisher's packet `index` of the present stream has a number of ours; nil if it has none.
  func segment(ofIndex index: Int64) -> ForwardedSegment? {
    if index >= segment.firstIndex { return segment }
    var end = segment.firstSequence
    for age in 0..<earlier.count {
      let candidate = earlier[age: age]
      if candidate.stream == stream, index >= candidate.firstIndex {
        return index - candidate.sequenceOffset < end ? candidate : nil
      }
      end = candidate.firstSequence
    }
    return nil
  }
}
