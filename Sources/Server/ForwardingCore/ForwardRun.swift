public import MediaBase

/// Datagrams for one destination, one behind the other in the slab: all of `segmentSize` bytes, the last may be shorter.
/// What one send call with UDP segmentation offload takes: at most 64 datagrams and 65,507 bytes.
public struct ForwardRun: Hashable, Sendable {
  /// Where to send.
  public var destination: TransportAddress
  /// Bytes in the slab, from its start.
  public var byteCount: Int
  /// Bytes of each datagram.
  public var segmentSize: Int

  /// Makes a run.
  public init(destination: TransportAddress, byteCount: Int, segmentSize: Int) {
    self.destination = destination
    self.byteCount = byteCount
    self.segmentSize = segmentSize
  }

  /// How many datagrams it holds.
  public var segmentCount: Int { segmentSize > 0 ? (byteCount + segmentSize - 1) / segmentSize : 0 }
}
