import CLinuxShims
import Glibc
import MediaBase

/// Memory for one call of `UDPSocket.receiveBatch`: 64 datagrams of up to 2,048 bytes. Used by one thread at a time;
/// several sockets of that thread can share one.
public final class DatagramBatch {
  /// How many datagrams one call can bring.
  public static let capacity = 64
  /// Room for one datagram, in bytes; longer ones are dropped.
  public static let slotSize = 2_048

  let messages: UnsafeMutablePointer<clx_message>
  private let vectors: UnsafeMutablePointer<iovec>
  private let addresses: UnsafeMutablePointer<sockaddr_in6>
  private let slab: UnsafeMutableRawPointer

  /// Allocates the memory (about 140 kB).
  public init() {
    messages = .allocate(capacity: Self.capacity)
    vectors = .allocate(capacity: Self.capacity)
    addresses = .allocate(capacity: Self.capacity)
    addresses.initialize(repeating: sockaddr_in6(), count: Self.capacity)
    slab = .allocate(byteCount: Self.capacity * Self.slotSize, alignment: 64)
    slab.initializeMemory(as: UInt8.self, repeating: 0, count: Self.capacity * Self.slotSize)
    for index in 0..<Self.capacity {
      (vectors + index).initialize(
        to: iovec(iov_base: slab + index * Self.slotSize, iov_len: Self.slotSize))
      var message = clx_message()
      message.header.name = UnsafeMutableRawPointer(addresses + index)
      message.header.vectors = UnsafeMutableRawPointer(vectors + index)
      message.header.vector_count = 1
      (messages + index).initialize(to: message)
    }
  }

  deinit {
    messages.deallocate()
    vectors.deallocate()
    addresses.deallocate()
    slab.deallocate()
  }

  /// Undoes what a call wrote into the first `count` headers.
  func prepare(count: Int = capacity) {
    for index in 0..<count {
      messages[index].header.name_length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      messages[index].header.flags = 0
    }
  }

  /// Whether the kernel cut the datagram to fit.
  func isTruncated(_ index: Int) -> Bool { messages[index].header.flags & Int32(MSG_TRUNC) != 0 }

  func datagram(_ index: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: slab + index * Self.slotSize, count: min(Int(messages[index].length), Self.slotSize))
  }

  func source(_ index: Int) -> TransportAddress? {
    TransportAddress(socketAddress: UnsafeRawPointer(addresses + index), length: messages[index].header.name_length)
  }
}
