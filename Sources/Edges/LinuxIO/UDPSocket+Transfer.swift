import CLinuxShims
import Glibc
import MediaBase
import Synchronization

extension UDPSocket {
  /// Most datagrams in one call with UDP_SEGMENT (the kernel's UDP_MAX_SEGMENTS of older versions).
  private static let segmentsPerCall = 64
  /// Most bytes in one such call: what fits an IP packet's 16-bit length with headers.
  private static let bytesPerCall = 65_000
  /// After this many refusals in a row the kernel is not asked to cut any more.
  private static let refusalsBeforeGivingUp = 8

  /// Takes up to 64 waiting datagrams in one system call (recvmmsg) and hands them over in the order of arrival. Does not
  /// block. The bytes are valid, and may be changed, until the batch is used again; errors that the network reported
  /// for datagrams sent earlier (such as "port unreachable") are skipped.
  ///
  /// - Returns: how many datagrams were taken from the kernel; fewer than 64 means that no more were waiting.
  @discardableResult
  public func receiveBatch(
    into batch: DatagramBatch, _ body: (UnsafeMutableRawBufferPointer, TransportAddress) -> Void
  ) -> Int {
    batch.prepare()
    // Each pending network error is reported once, in place of data.
    for _ in 0..<8 {
      let count = Int(clx_recvmmsg(fileDescriptor, batch.messages, UInt32(DatagramBatch.capacity)))
      if count < 0 {
        if errno == EAGAIN || errno == EBADF { return 0 }
        continue
      }
      for index in 0..<count {
        if batch.isTruncated(index) {
          truncated.add(1, ordering: .relaxed)
        } else if let source = batch.source(index) {
          body(batch.datagram(index), source)
        }
      }
      return count
    }
    return 0
  }

  /// Sends one datagram, without blocking beyond the socket's patience. `false` if the kernel did not take it, which `droppedDatagrams` counts.
  @discardableResult
  public func send(_ datagram: UnsafeRawBufferPointer, to destination: TransportAddress) -> Bool {
    let code = transmit(destination) { address, length in
      sendto(
        fileDescriptor, datagram.baseAddress, datagram.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL),
        address, length)
    }
    if code == 0 {
      sent.add(1, ordering: .relaxed)
    } else {
      dropped.add(1, ordering: .relaxed)
    }
    return code == 0
  }

  /// Sends `run` as datagrams of `segmentSize` bytes; the last may be shorter. The kernel cuts them (UDP_SEGMENT), up to 64
  /// a call; where it cannot (a device without checksum offload, an old kernel, segments above the path's MTU) they are
  /// sent one by one. Does not block beyond the socket's patience.
  ///
  /// - Returns: whether the kernel took all of them.
  @discardableResult
  public func sendSegments(
    _ run: UnsafeRawBufferPointer, segmentSize: Int, to destination: TransportAddress
  ) -> Bool {
    guard segmentSize > 0, segmentSize < run.count else { return send(run, to: destination) }
    let perCall = min(Self.segmentsPerCall, max(1, Self.bytesPerCall / segmentSize)) * segmentSize
    var isComplete = true
    var offset = 0
    while offset < run.count {
      let part = UnsafeRawBufferPointer(rebasing: run[offset..<min(offset + perCall, run.count)])
      if !sendPart(part, segmentSize: segmentSize, to: destination) { isComplete = false }
      offset += perCall
    }
    return isComplete
  }

  /// Sends what fits one call.
  private func sendPart(
    _ part: UnsafeRawBufferPointer, segmentSize: Int, to destination: TransportAddress
  ) -> Bool {
    guard part.count > segmentSize else { return send(part, to: destination) }
    guard usesSegmentationOffload, offloadRefusals.load(ordering: .relaxed) < Self.refusalsBeforeGivingUp else {
      return sendOneByOne(part, segmentSize: segmentSize, to: destination)
    }
    let code = transmit(destination) { address, length in
      clx_send_segments(
        fileDescriptor, part.baseAddress, part.count, UInt16(truncatingIfNeeded: segmentSize), address, length)
    }
    let segments = (part.count + segmentSize - 1) / segmentSize
    switch code {
    case 0:
      sent.add(segments, ordering: .relaxed)
      offloadRefusals.store(0, ordering: .relaxed)
      return true
    case EINVAL, EIO, EMSGSIZE, EOPNOTSUPP, ENOPROTOOPT:
      offloadRefusals.add(1, ordering: .relaxed)
      return sendOneByOne(part, segmentSize: segmentSize, to: destination)
    default:
      dropped.add(segments, ordering: .relaxed)
      return false
    }
  }

  private func sendOneByOne(
    _ part: UnsafeRawBufferPointer, segmentSize: Int, to destination: TransportAddress
  ) -> Bool {
    var isComplete = true
    var offset = 0
    while offset < part.count {
      let end = min(offset + segmentSize, part.count)
      if !send(UnsafeRawBufferPointer(rebasing: part[offset..<end]), to: destination) { isComplete = false }
      offset = end
    }
    return isComplete
  }

  /// One system call that sends; repeated when a signal or an error of an earlier datagram came in between. 0 or the
  /// `errno` of the failure.
  @inline(__always)
  private func transmit(
    _ destination: TransportAddress, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int
  ) -> Int32 {
    destination.withSocketAddress(mapped: isDualStack) { address, length in
      var code: Int32 = 0
      for _ in 0..<4 {
        if call(address, length) >= 0 { return 0 }
        code = errno
        if code == EAGAIN || code == ENOBUFS, waitForRoom() { continue }
        guard code == EINTR || code == ECONNREFUSED else { break }
      }
      return code
    }
  }
}
