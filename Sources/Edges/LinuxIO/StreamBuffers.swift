import Glibc
import RTPWire

/// Memory that all `DatagramStream`s of a thread share.
public final class StreamBuffers {
  /// Datagrams of one system call at most.
  static let segmentCapacity = 64

  let received: UnsafeMutableRawBufferPointer
  let vectors: UnsafeMutablePointer<iovec>
  private let prefixes: UnsafeMutableRawPointer

  /// Allocates the memory (about 66 kB).
  public init() {
    received = .allocate(byteCount: 65_536, alignment: 16)
    vectors = .allocate(capacity: 2 * Self.segmentCapacity)
    vectors.initialize(repeating: iovec(), count: 2 * Self.segmentCapacity)
    prefixes = .allocate(byteCount: StreamDeframer.prefixByteCount * Self.segmentCapacity, alignment: 2)
  }

  deinit {
    received.deallocate()
    vectors.deallocate()
    prefixes.deallocate()
  }

  /// Points the vectors at each segment and its length; returns how many there are. At most `segmentCapacity` segments.
  func prepare(_ part: UnsafeRawBufferPointer, segmentSize: Int) -> Int {
    var count = 0
    var offset = 0
    while offset < part.count, count < 2 * Self.segmentCapacity, let base = part.baseAddress {
      let length = min(segmentSize, part.count - offset)
      let prefix = prefixes + count / 2 * StreamDeframer.prefixByteCount
      prefix.storeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian, as: UInt16.self)
      vectors[count] = iovec(iov_base: prefix, iov_len: StreamDeframer.prefixByteCount)
      vectors[count + 1] = iovec(iov_base: UnsafeMutableRawPointer(mutating: base + offset), iov_len: length)
      count += 2
      offset += length
    }
    return count
  }
}
