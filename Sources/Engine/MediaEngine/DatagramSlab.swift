import MediaBase

/// Room for one outgoing datagram. Used by the network thread only.
final class DatagramSlab {
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_600, alignment: 16)

  deinit { memory.deallocate() }

  /// Lets `body` write a datagram; its length.
  func write(_ body: (inout OutputRawSpan) -> Void) -> Int {
    var span = OutputRawSpan(buffer: memory, initializedCount: 0)
    body(&span)
    return span.finalize(for: memory)
  }

  func bytes(_ count: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory).prefix(count).rebased }
}

extension Slice where Base == UnsafeRawBufferPointer {
  var rebased: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self) }
}
