import LinuxIO
import MediaBase
import TestSupport
import Testing

@Suite(.ownThread) struct UDPSocketTests {
  @Test(arguments: ["127.0.0.1", "::1"])
  func `a datagram arrives with its bytes and its sender's address`(host: String) throws {
    let pair = try SocketPair(host: host)
    #expect(pair.a.localAddress.port != 0)
    #expect(pattern(1_200).withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) })
    let received = SocketPair.receive(1, at: pair.b)
    #expect(received.map(\.bytes) == [pattern(1_200)])
    #expect(received.first?.source == pair.a.localAddress)
    #expect(pair.a.sentDatagrams == 1)
  }

  @Test func `a socket on all IPv6 addresses speaks IPv4 too, under plain IPv4 addresses`() throws {
    let server = try UDPSocket(host: "::", port: 0)
    let client = try UDPSocket(host: "127.0.0.1", port: 0)
    let port = server.localAddress.port
    _ = pattern(10).withUnsafeBytes { client.send($0, to: TransportAddress(ipv4: 0x7F00_0001, port: port)) }
    let source = try #require(SocketPair.receive(1, at: server).first?.source)
    #expect(source == client.localAddress)
    #expect(pattern(20).withUnsafeBytes { server.send($0, to: source) })
    #expect(SocketPair.receive(1, at: client).map(\.bytes) == [pattern(20)])
  }

  @Test func `a batch keeps the order and empty datagrams`() throws {
    let pair = try SocketPair()
    let sizes = [1, 0, 2_048, 300, 1]
    for (index, size) in sizes.enumerated() {
      _ = pattern(size, seed: index).withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) }
    }
    let received = SocketPair.receive(sizes.count, at: pair.b)
    #expect(received.map(\.bytes) == sizes.enumerated().map { pattern($1, seed: $0) })
  }

  @Test func `a datagram longer than a slot is dropped and counted`() throws {
    let pair = try SocketPair()
    _ = pattern(2_049).withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) }
    _ = pattern(5).withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) }
    #expect(SocketPair.receive(1, at: pair.b).map(\.bytes) == [pattern(5)])
    #expect(pair.b.truncatedDatagrams == 1)
  }

  @Test func `more than 64 waiting datagrams come in several batches`() throws {
    let pair = try SocketPair()
    for index in 0..<150 { _ = [UInt8(index)].withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) } }
    let batch = DatagramBatch()
    #expect(pair.b.receiveBatch(into: batch) { _, _ in } == 64)
    #expect(SocketPair.receive(86, at: pair.b).map(\.bytes) == (64..<150).map { [UInt8($0)] })
    #expect(pair.b.receiveBatch(into: batch) { _, _ in } == 0)
  }

  @Test func `sending to a port where nobody listens does not stop the socket`() throws {
    let pair = try SocketPair()
    let gone = try UDPSocket(host: "127.0.0.1", port: 0)
    let nobody = gone.localAddress
    gone.close()
    for _ in 0..<5 { _ = pattern(10).withUnsafeBytes { pair.a.send($0, to: nobody) } }
    _ = pattern(3).withUnsafeBytes { pair.b.send($0, to: pair.a.localAddress) }
    #expect(SocketPair.receive(1, at: pair.a).map(\.bytes) == [pattern(3)])
    #expect(pattern(4).withUnsafeBytes { pair.a.send($0, to: pair.b.localAddress) })
  }

  @Test func `a port in use is told as a sentence with the port`() throws {
    let first = try UDPSocket(host: "127.0.0.1", port: 0)
    let error = #expect(throws: UDPSocketError.self) {
      try UDPSocket(host: "127.0.0.1", port: first.localAddress.port)
    }
    #expect(error == .portInUse(first.localAddress))
    let text = error?.description ?? ""
    #expect(text.contains("\(first.localAddress.port)") && text.contains("already in use"), "\(text)")
  }

  @Test func `closing frees the port`() throws {
    let first = try UDPSocket(host: "127.0.0.1", port: 0)
    first.close()
    first.close()
    #expect(first.fileDescriptor == -1)
    let second = try UDPSocket(host: "127.0.0.1", port: first.localAddress.port)
    #expect(second.localAddress == first.localAddress)
  }

  @Test func `addresses that are not of this machine or no addresses at all are told apart`() throws {
    let foreign = try #require(TransportAddress(host: "203.0.113.9", port: 5_000))
    #expect(throws: UDPSocketError.addressNotAvailable(foreign)) { try UDPSocket(host: "203.0.113.9", port: 5_000) }
    #expect(throws: UDPSocketError.badAddress(host: "no such host.invalid")) {
      try UDPSocket(host: "no such host.invalid", port: 0)
    }
  }

  @Test func `sockets that share a port all bind`() throws {
    let first = try UDPSocket(host: "127.0.0.1", port: 0, sharesPort: true)
    let second = try UDPSocket(host: "127.0.0.1", port: first.localAddress.port, sharesPort: true)
    #expect(second.localAddress == first.localAddress)
  }

  @Test func `a closed socket refuses and counts`() throws {
    let socket = try UDPSocket(host: "127.0.0.1", port: 0)
    let address = socket.localAddress
    socket.close()
    #expect(!pattern(3).withUnsafeBytes { socket.send($0, to: address) })
    #expect(socket.droppedDatagrams == 1)
    #expect(socket.receiveBatch(into: DatagramBatch()) { _, _ in } == 0)
  }
}
