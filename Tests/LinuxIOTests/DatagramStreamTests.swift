import Glibc
import LinuxIO
import MediaBase
import TestSupport
import Testing

/// Datagrams over TCP.
@Suite("Datagram streams", .timeLimit(.minutes(10)), .ownThread)
struct DatagramStreamTests {
  /// A listener, the server's end of a connection and the other one.
  private struct Connection {
    let server: DatagramStream
    let client: Int32
    let buffers = StreamBuffers()

    init() throws {
      let (free, listener) = try Self.listen()
      client = LoopbackTCP.connect(port: free.port)
      try #require(client >= 0)
      guard case .stream(let stream) = listener.accept() else { throw Missing() }
      server = stream
    }

    /// At a port that is free for TCP, too: other programs take some meanwhile.
    static func listen() throws -> (TransportAddress, TCPListener) {
      for _ in 0..<100 {
        let free = try UDPSocket(host: "127.0.0.1", port: 0).localAddress
        if let listener = try? TCPListener(free) { return (free, listener) }
      }
      throw Missing()
    }

    struct Missing: Error {}

    /// Reads `count` bytes that the server has sent, or what there is until it has closed.
    func read(_ count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      var done = 0
      while done < count {
        let part = bytes.withUnsafeMutableBytes { recv(client, $0.baseAddress?.advanced(by: done), count - done, 0) }
        guard part > 0 else { break }
        done += part
      }
      return Array(bytes[..<done])
    }

    func send(_ run: [UInt8], segmentSize: Int) -> Bool {
      run.withUnsafeBytes { server.sendSegments($0, segmentSize: segmentSize, using: buffers) }
    }
  }

  private static func framed(_ run: [UInt8], segmentSize: Int) -> [UInt8] {
    stride(from: 0, to: run.count, by: segmentSize).flatMap { offset in
      let datagram = run[offset..<min(offset + segmentSize, run.count)]
      return [UInt8(datagram.count >> 8), UInt8(datagram.count & 255)] + datagram
    }
  }

  @Test("a run arrives as datagrams behind their lengths", arguments: [1, 2, 63, 64, 65, 200])
  func runs(count: Int) throws {
    let connection = try Connection()
    defer { close(connection.client) }
    let run = pattern(count * 100 - 7)
    #expect(connection.send(run, segmentSize: 100))
    let expected = Self.framed(run, segmentSize: 100)
    #expect(connection.read(expected.count) == expected)
    #expect(!connection.server.hasUnsent && connection.server.remoteAddress.transport == .tcp)
  }

  @Test("what comes is handed out by datagram; the end of the connection and another protocol are told")
  func receiving() throws {
    let connection = try Connection()
    let bytes = Self.framed(pattern(3_000), segmentSize: 999)
    #expect(Glibc.send(connection.client, bytes, bytes.count, 0) == bytes.count)
    var seen: [[UInt8]] = []
    while seen.count < 4 { #expect(connection.server.receive(using: connection.buffers) { seen.append(Array($0)) }) }
    #expect(seen.map(\.count) == [999, 999, 999, 3] && seen.flatMap { $0 } == pattern(3_000))
    close(connection.client)
    var isOpen = true
    for _ in 0..<1_000 where isOpen {
      isOpen = connection.server.receive(using: connection.buffers) { _ in }
      MonotonicClock.sleep(for: .milliseconds(1))
    }
    #expect(!isOpen)

    let other = try Connection()
    defer { close(other.client) }
    Glibc.send(other.client, "GET / HTTP/1.1\r\n\r\n", 18, 0)
    var isStream = true
    for _ in 0..<1_000 where isStream {
      isStream = other.server.receive(using: other.buffers) { _ in }
      MonotonicClock.sleep(for: .milliseconds(1))
    }
    #expect(!isStream)
  }

  @Test("a peer that does not read costs bounded memory: whole datagrams are dropped, long ones first, none is damaged")
  func slowReader() throws {
    let connection = try Connection()
    defer { close(connection.client) }
    var (sentLong, sentShort) = (0, 0)
    // Long and short ones by turns until neither is taken any more.
    while connection.server.droppedDatagrams < 2_000 {
      #expect(connection.send([UInt8](repeating: 1, count: 1_200), segmentSize: 1_200))
      #expect(connection.send([UInt8](repeating: 2, count: 100), segmentSize: 100))
      sentLong += 1
      sentShort += 1
    }
    var received: [Int: Int] = [:]
    var stream: [UInt8] = []
    // All that is kept comes once the peer reads: complete datagrams to the last one.
    let expected = sentLong + sentShort - connection.server.droppedDatagrams
    while received.values.reduce(0, +) < expected {
      #expect(connection.server.flush())
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = recv(connection.client, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { continue }
      stream += chunk[..<count]
      var offset = 0
      while offset + 2 <= stream.count {
        let length = Int(stream[offset]) << 8 | Int(stream[offset + 1])
        guard offset + 2 + length <= stream.count else { break }
        let datagram = stream[offset + 2..<offset + 2 + length]
        #expect(datagram.allSatisfy { $0 == (length == 1_200 ? 1 : 2) })
        received[length, default: 0] += 1
        offset += 2 + length
      }
      stream.removeFirst(offset)
    }
    #expect(Set(received.keys) == [1_200, 100] && stream.isEmpty && !connection.server.hasUnsent)
    // The reserve for short ones is for about 160 of them.
    #expect(received[100, default: 0] > received[1_200, default: 0] + 100)
    #expect(connection.send([3], segmentSize: 1) && connection.read(3) == [0, 1, 3])
  }

  @Test("sending to a peer that has gone ends the connection and not the process")
  func gone() throws {
    let connection = try Connection()
    close(connection.client)
    var isOpen = true
    for _ in 0..<1_000 where isOpen {
      isOpen = connection.send(pattern(50_000), segmentSize: 1_200)
      MonotonicClock.sleep(for: .milliseconds(1))
    }
    #expect(!isOpen)
  }

  @Test("a port in use is told")
  func portInUse() throws {
    let (free, listener) = try Connection.listen()
    let error = #expect(throws: TCPListenerError.self) { try TCPListener(free) }
    #expect(error?.description.contains("TCP port \(free.port) on 127.0.0.1 is already in use") == true)
    withExtendedLifetime(listener) {}
  }
}
