import CLinuxShims

/// What the kernel knows of a TCP connection.
public enum TCPConnection {
  /// Bytes received so far, read or not; `nil` if the descriptor is not that of a TCP connection.
  public static func receivedByteCount(fileDescriptor: Int32) -> Int64? {
    let count = clx_tcp_received(fileDescriptor)
    return count < 0 ? nil : count
  }
}
