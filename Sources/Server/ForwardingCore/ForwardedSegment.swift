/// A stretch of one stream on its way to one subscriber in which the publisher's numbers are shifted by constants, so that
/// gaps by loss stay gaps and a late packet finds its place. The next one begins right behind it.
struct ForwardedSegment: BitwiseCopyable {
  /// The stream's number in the pool of streams.
  var stream: Int32
  /// The publisher's index of the first packet.
  var firstIndex: Int64 = 0
  /// The publisher's index less ours.
  var sequenceOffset: Int64 = 0
  var timestampOffset: UInt32 = 0
  var pictureIDOffset: UInt16 = 0
  var tl0PicIdxOffset: UInt8 = 0

  /// Our index of the first packet.
  var firstSequence: Int64 { firstIndex &- sequenceOffset }

  /// Our sequence number of a packet of the segment.
  func sequence(of record: PacketRecord) -> Int64 { record.index &- sequenceOffset }
}

/// The last segments of an egress that have ended, oldest first. Takes memory when the first one ends, which is when a
/// layer is changed or dropped.
struct SegmentRing {
  /// At 15 dropped pictures per second, what was sent within the last four seconds.
  private static let capacity = 64

  private var segments: [ForwardedSegment] = []
  private var next = 0

  var count: Int { segments.count }

  mutating func removeAll() {
    segments.removeAll(keepingCapacity: true)
    next = 0
  }

  mutating func append(_ segment: ForwardedSegment) {
    if segments.count < Self.capacity {
      if segments.isEmpty { segments.reserveCapacity(Self.capacity) }
      segments.append(segment)
    } else {
      segments[next] = segment
      next = (next + 1) % Self.capacity
    }
  }

  /// The segment that ended as number `age` before the last, 0 for the last one.
  subscript(age age: Int) -> ForwardedSegment {
    segments[(next + segments.count - 1 - age) % segments.count]
  }
}
