/// Grows a run of datagrams of equal size in the slab; a shorter one ends it.
struct RunBuilder {
  private static let maximumSegmentCount = 64
  private static let maximumByteCount = 65_507

  private let capacity: Int
  private(set) var byteCount = 0
  private(set) var segmentSize = 0
  private var segmentCount = 0
  private var hasShortSegment = false

  init(slabByteCount: Int) { capacity = min(slabByteCount, Self.maximumByteCount) }

  var isEmpty: Bool { byteCount == 0 }

  /// Whether a datagram of `size` bytes may follow. The first may if the slab holds it.
  func accepts(_ size: Int) -> Bool {
    guard size <= capacity - byteCount else { return false }
    return isEmpty || (size <= segmentSize && segmentCount < Self.maximumSegmentCount && !hasShortSegment)
  }

  /// Counts a datagram that has been written behind the others.
  mutating func append(_ size: Int) {
    if isEmpty { segmentSize = size }
    hasShortSegment = size < segmentSize
    byteCount += size
    segmentCount += 1
  }

  /// Whether nothing can follow.
  var isFull: Bool { hasShortSegment || segmentCount == Self.maximumSegmentCount }
}
