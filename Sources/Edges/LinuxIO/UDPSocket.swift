import CLinuxShims
import Glibc
import MediaBase
import Synchronization

/// A bound, unconnected, non-blocking UDP socket.
///
/// One thread at a time uses and closes it; the counters may be read from any. Letting go of the object closes it.
public final class UDPSocket: Sendable {
  private let descriptor: Atomic<Int32>
  /// An IPv6 socket that carries IPv4 too, with addresses mapped.
  let isDualStack: Bool
  let usesSegmentationOffload: Bool
  private let sendPatience: MediaDuration
  let sent = Atomic<Int>(0)
  let dropped = Atomic<Int>(0)
  let truncated = Atomic<Int>(0)
  /// How often in a row the kernel has refused to cut a run into segments.
  let offloadRefusals = Atomic<Int>(0)

  /// Where the socket is bound; the port is the one that the system chose if 0 was asked for.
  public let localAddress: TransportAddress

  /// Binds a socket.
  ///
  /// - Parameters:
  ///   - host: an IP address of this machine, `0.0.0.0` or `::` for all (`::` takes IPv4 too), or a name of it.
  ///   - port: 0 for any free port.
  ///   - sharesPort: several sockets of this process may have the port; the kernel spreads flows over them
  ///     (SO_REUSEPORT).
  ///   - bufferSize: wanted size of the kernel's buffer for each direction, in bytes; the system's limit may be lower.
  ///   - sendPatience: how long one call that sends may wait for room in the kernel's buffer, in whole milliseconds; zero
  ///     for not at all.
  ///   - usesSegmentationOffload: whether `sendSegments` may leave the cutting to the kernel.
  public init(
    host: String, port: UInt16, sharesPort: Bool = false, bufferSize: Int32 = 4 << 20,
    sendPatience: MediaDuration = .zero, usesSegmentationOffload: Bool = true
  ) throws(UDPSocketError) {
    guard let wanted = TransportAddress(host: host, port: port) ?? Self.resolve(host, port) else {
      throw .badAddress(host: host)
    }
    let family = wanted.family == .ipv4 ? AF_INET : AF_INET6
    let isDualStack = wanted.family == .ipv6 && wanted.high == 0 && wanted.low == 0
    let descriptor = clx_udp_socket(family)
    guard descriptor >= 0 else { throw UDPSocketError(wanted, operation: "socket", code: errno) }
    if wanted.family == .ipv6 { Self.set(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, isDualStack ? 0 : 1) }
    if sharesPort { Self.set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
    Self.set(descriptor, SOL_SOCKET, SO_RCVBUF, bufferSize)
    Self.set(descriptor, SOL_SOCKET, SO_SNDBUF, bufferSize)
    let status = wanted.withSocketAddress { bind(descriptor, $0, $1) }
    guard status == 0, let bound = Self.boundAddress(descriptor) else {
      let code = errno
      Glibc.close(descriptor)
      throw UDPSocketError(wanted, operation: "bind", code: code)
    }
    self.descriptor = Atomic(descriptor)
    self.isDualStack = isDualStack
    self.usesSegmentationOffload = usesSegmentationOffload
    self.sendPatience = sendPatience
    localAddress = bound
  }

  deinit { close() }

  /// For an event loop to watch; -1 once closed.
  public var fileDescriptor: Int32 { descriptor.load(ordering: .relaxed) }

  /// Closes the socket and frees the port. Idempotent. An event loop has to be told before (`remove(fileDescriptor:)`).
  public func close() {
    let open = descriptor.exchange(-1, ordering: .acquiringAndReleasing)
    if open >= 0 { Glibc.close(open) }
  }

  /// Datagrams that the kernel took.
  public var sentDatagrams: Int { sent.load(ordering: .relaxed) }
  /// Datagrams that it did not take, because its buffer was full or for any other reason.
  public var droppedDatagrams: Int { dropped.load(ordering: .relaxed) }
  /// Received datagrams that were dropped because they were longer than `DatagramBatch.slotSize`.
  public var truncatedDatagrams: Int { truncated.load(ordering: .relaxed) }

  /// The kernel's buffer for incoming datagrams in bytes, as it counts them (with its own overhead).
  public var receiveBufferSize: Int { Self.get(fileDescriptor, SO_RCVBUF) }
  /// The kernel's buffer for outgoing datagrams in bytes, as it counts them.
  public var sendBufferSize: Int { Self.get(fileDescriptor, SO_SNDBUF) }

  /// Waits for room in the kernel's buffer; `false` if there is none after the patience that the socket was made with.
  func waitForRoom() -> Bool {
    let milliseconds = Int32(clamping: sendPatience.nanoseconds / 1_000_000)
    guard milliseconds > 0 else { return false }
    var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&descriptor, 1, milliseconds) == 1 && descriptor.revents & Int16(POLLOUT) != 0
  }

  private static func resolve(_ host: String, _ port: UInt16) -> TransportAddress? {
    (try? HostResolver.resolve(host: host, port: port))?.first
  }

  /// The address that datagrams for `destination` leave this machine from, as its routes are now, with port 0. Nothing is
  /// sent. `nil` if there is no way there.
  public static func sourceAddress(toward destination: TransportAddress) -> TransportAddress? {
    let descriptor = clx_udp_socket(destination.family == .ipv4 ? AF_INET : AF_INET6)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    guard destination.withSocketAddress({ connect(descriptor, $0, $1) }) == 0 else { return nil }
    var address = boundAddress(descriptor)
    address?.port = 0
    return address
  }

  private static func boundAddress(_ descriptor: Int32) -> TransportAddress? {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return withUnsafeMutableBytes(of: &address) { bytes -> TransportAddress? in
      guard let base = bytes.baseAddress else { return nil }
      guard getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &length) == 0 else { return nil }
      return TransportAddress(socketAddress: base, length: length)
    }
  }

  private static func set(_ descriptor: Int32, _ level: Int, _ option: Int32, _ value: Int32) {
    set(descriptor, Int32(level), option, value)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func get(_ descriptor: Int32, _ option: Int32) -> Int {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, option, &value, &length)
    return Int(value)
  }
}
