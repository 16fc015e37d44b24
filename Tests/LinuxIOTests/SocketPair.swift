import LinuxIO
import MediaBase

/// Two sockets on the loopback interface.
struct SocketPair {
  let a: UDPSocket
  let b: UDPSocket

  init(host: String = "127.0.0.1", usesSegmentationOffload: Bool = true) throws {
    a = try UDPSocket(host: host, port: 0, usesSegmentationOffload: usesSegmentationOffload)
    b = try UDPSocket(host: host, port: 0)
  }

  /// What has arrived at `socket`, waiting until there are `count` datagrams or two seconds have passed.
  static func receive(_ count: Int, at socket: UDPSocket) -> [(bytes: [UInt8], source: TransportAddress)] {
    let batch = DatagramBatch()
    var received: [(bytes: [UInt8], source: TransportAddress)] = []
    let end = MonotonicClock.now() + .seconds(2)
    while received.count < count, MonotonicClock.now() < end {
      let taken = socket.receiveBatch(into: batch) { bytes, source in received.append((Array(bytes), source)) }
      if taken == 0 { MonotonicClock.sleep(for: .milliseconds(1)) }
    }
    return received
  }
}

/// `count` bytes that differ from one another nearby.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251 &+ seed) }
}
