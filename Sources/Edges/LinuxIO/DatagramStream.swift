import Glibc
public import MediaBase
import RTPWire

/// Datagrams over a TCP connection (RFC 4571), without blocking.
///
/// What the other side does not take in time is dropped, as a full path drops datagrams: whole ones, the newest, and long
/// ones first, so that checks, reports and sound get through beside video. One thread at a time uses it.
public final class DatagramStream {
  /// The other side, as a TCP address.
  public let remoteAddress: TransportAddress
  /// For an event loop to watch; -1 once closed.
  public private(set) var fileDescriptor: Int32
  /// Datagrams that were dropped because too many waited.
  public private(set) var droppedDatagrams = 0

  /// Bytes that may wait beside what the kernel has taken: about the longest key frame.
  public static let unsentLimit = 131_072
  /// So many more for datagrams of at most `shortByteCount` bytes.
  public static let shortReserve = 16_384
  /// What counts as short.
  public static let shortByteCount = 400

  private var deframer = StreamDeframer()
  /// Datagrams with their lengths that the kernel has not taken; the first `unsentOffset` bytes are done.
  private var unsent: [UInt8] = []
  private var unsentOffset = 0

  /// Takes over a connected socket that does not block.
  public init(fileDescriptor: Int32, remoteAddress: TransportAddress) {
    self.fileDescriptor = fileDescriptor
    self.remoteAddress = remoteAddress
  }

  deinit { close() }

  /// Ends the connection. Idempotent. An event loop has to be told before (`remove(fileDescriptor:)`).
  public func close() {
    if fileDescriptor >= 0 { Glibc.close(fileDescriptor) }
    fileDescriptor = -1
  }

  /// Whether datagrams wait until the connection can be written to: then have the event loop watch for that, and `flush`.
  public var hasUnsent: Bool { unsentOffset < unsent.count }

  /// Calls `body` with each datagram that has come, in order; it may write to the bytes, which are valid during the call.
  ///
  /// - Returns: `false` if the connection has ended or does not carry datagrams: close it.
  public func receive(using buffers: StreamBuffers, _ body: (UnsafeMutableRawBufferPointer) -> Void) -> Bool {
    // Others want their turn too; what is left is told again.
    for _ in 0..<4 {
      let count = recv(fileDescriptor, buffers.received.baseAddress, buffers.received.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      do throws(StreamDeframer.FramingError) {
        try deframer.receive(UnsafeMutableRawBufferPointer(rebasing: buffers.received[..<count]), body)
      } catch { return false }
      if count < buffers.received.count { return true }
    }
    return true
  }

  /// Sends `run` as datagrams of `segmentSize` bytes, the last may be shorter, with one system call.
  ///
  /// - Returns: `false` if the connection has ended: close it.
  public func sendSegments(_ run: UnsafeRawBufferPointer, segmentSize: Int, using buffers: StreamBuffers) -> Bool {
    guard segmentSize > 0, segmentSize <= StreamDeframer.maximumByteCount else { return true }
    if hasUnsent {
      guard flush() else { return false }
    }
    var offset = 0
    while offset < run.count {
      let end = min(offset + segmentSize * StreamBuffers.segmentCapacity, run.count)
      let part = UnsafeRawBufferPointer(rebasing: run[offset..<end])
      guard let count = hasUnsent ? 0 : transmit(part, segmentSize, buffers) else { return false }
      keep(part, segmentSize, sent: count)
      offset = end
    }
    return true
  }

  /// Tries again to send what waits; `false` if the connection has ended: close it.
  public func flush() -> Bool {
    while hasUnsent {
      let count = unsent.withUnsafeBytes {
        send(
          fileDescriptor, $0.baseAddress?.advanced(by: unsentOffset), $0.count - unsentOffset,
          Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return errno == EAGAIN }
      unsentOffset += count
    }
    unsent.removeAll(keepingCapacity: true)
    unsentOffset = 0
    return true
  }

  /// How many bytes the kernel takes of the segments with their lengths; `nil` if the connection has ended.
  private func transmit(_ part: UnsafeRawBufferPointer, _ segmentSize: Int, _ buffers: StreamBuffers) -> Int? {
    let vectorCount = buffers.prepare(part, segmentSize: segmentSize)
    var message = msghdr()
    message.msg_iov = buffers.vectors
    message.msg_iovlen = vectorCount
    while true {
      let count = sendmsg(fileDescriptor, &message, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      if count >= 0 { return count }
      if errno == EINTR { continue }
      return errno == EAGAIN ? 0 : nil
    }
  }

  /// Keeps what the kernel has not taken: the rest of a datagram that it has begun in any case, others as far as there is
  /// room.
  private func keep(_ part: UnsafeRawBufferPointer, _ segmentSize: Int, sent: Int) {
    var done = sent
    var offset = 0
    while offset < part.count {
      let length = min(segmentSize, part.count - offset)
      let framed = length + StreamDeframer.prefixByteCount
      defer { offset += length }
      if done >= framed {
        done -= framed
        continue
      }
      let waiting = unsent.count - unsentOffset
      let limit = Self.unsentLimit + (length <= Self.shortByteCount ? Self.shortReserve : 0)
      guard done > 0 || waiting + framed <= limit else {
        droppedDatagrams += 1
        continue
      }
      compact()
      let prefix = [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
      unsent.append(contentsOf: prefix.dropFirst(done))
      unsent.append(contentsOf: part[offset + max(0, done - StreamDeframer.prefixByteCount)..<offset + length])
      done = 0
    }
  }

  /// Gives the room of what has been sent back, so that the queue's memory stays bounded.
  private func compact() {
    guard unsentOffset > Self.unsentLimit / 2 else { return }
    unsent.removeFirst(unsentOffset)
    unsentOffset = 0
  }
}
