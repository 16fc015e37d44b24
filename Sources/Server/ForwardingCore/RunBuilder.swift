/// Grows a run of datagrams of equal size in the slab; a shorter one ends it.
struct RunBuilder {
  private static let maximumSegmentCount = 64
  private static let maximumByteCount = 65_507

  private let capacity: Int
  /// With so many bytes it is full.
  private var byteLimit = Int.max
  private(set) var byteCount = 0
  private(set) var segmentSize = 0
  private(set) var segmentCount = 0
  private var hasShortSegment = false

  init(slabByteCount: Int) { capacity = min(slabByteCount, Self.maximumByteCount) }

  var isEmpty: Bool { byteCount == 0 }

  /// Whether a datagram of `size` bytes may follow. The first may if the slab holds it.
  func accepts(_ size: Int) -> Bool {
    guard size <= capacity - byteCount else { return false }
    return isEmpty || (size <= segmentSize && !isFull)
  }

  /// Counts a datagram that has been written behind the others.
  mutating func append(_ size: Int) {
    if isEmpty { segmentSize = size }
    hasShortSegment = size < segmentSize
    byteCount += size
    segmentCount += 1
  }

  /// Has it take no datagram behind so many bytes; the last one may reach beyond that.
  mutating func limit(byteCount: Int) { byteLimit = byteCount }

  /// Whether nothing can follow.
  var isFull: Bool { hasShortSegment || segmentCount == Self.maximumSegmentCount || byteCount >= byteLimit }
}
