import CLinuxShims

/// What the kernel knows of a TCP connection.
public struct TCPConnection: Sendable {
  /// Bytes received so far, read or not.
  public var receivedByteCount: Int64
  /// Bytes sent so far that the other side's kernel has.
  public var acknowledgedByteCount: Int64

  /// `nil` if the descriptor is not that of a TCP connection.
  public init?(fileDescriptor: Int32) {
    var (received, acknowledged) = (UInt64(0), UInt64(0))
    guard clx_tcp_bytes(fileDescriptor, &received, &acknowledged) == 0 else { return nil }
    receivedByteCount = Int64(clamping: received)
    acknowledgedByteCount = Int64(clamping: acknowledged)
  }
}
