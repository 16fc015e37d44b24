import LinuxIO
import MediaBase
import TestSupport
import Testing

/// The kernel runs the filter, and the kernel's counter says what it dropped.
@Suite(.ownThread) struct DatagramFilterTests {
  /// Attributes of a check: those of different clients stand in different orders.
  private enum Attribute: UInt16 {
    case userName = 0x0006
    case priority = 0x0024
    case useCandidate = 0x0025
    case controlling = 0x802A
  }

  private func check(
    _ userName: String, type: UInt16 = 1, cookie: UInt32 = 0x2112_A442,
    behind others: [(Attribute, Int)] = []
  ) -> [UInt8] {
    func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    var body: [UInt8] = []
    for (attribute, count) in others {
      body += bytes(attribute.rawValue) + bytes(UInt16(count)) + pattern((count + 3) / 4 * 4)
    }
    let name = Array(userName.utf8)
    body += bytes(Attribute.userName.rawValue) + bytes(UInt16(name.count)) + name
    body += [UInt8](repeating: 0, count: (4 - name.count % 4) % 4)
    let head = bytes(type) + bytes(UInt16(body.count)) + bytes(UInt16(cookie >> 16)) + bytes(UInt16(cookie & 0xFFFF))
    return head + pattern(12) + body
  }

  private func media(_ number: Int) -> [UInt8] { [0x90, 96] + pattern(100, seed: number) }

  private func count(_ datagrams: [[UInt8]], from sockets: [UDPSocket], to server: UDPSocket) -> Int {
    let target = TransportAddress(
      host: sockets[0].localAddress.host, port: server.localAddress.port)
    guard let target else { return -1 }
    var arrived = 0
    let batch = DatagramBatch()
    for (index, datagram) in datagrams.enumerated() {
      datagram.withUnsafeBytes { _ = sockets[index % sockets.count].send($0, to: target) }
      // On the loopback interface what was sent has come, or was dropped, when the call returns.
      arrived += server.receiveBatch(into: batch) { _, _ in }
    }
    return arrived
  }

  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "127.0.0.1"), ("::", "::1")])
  func `everything of known senders comes in, and of strangers hardly anything`(server: String, client: String) throws {
    let server = try UDPSocket(host: server, port: 0)
    let known = try (0..<8).map { _ in try UDPSocket(host: client, port: 0) }
    var filter = DatagramFilter()
    filter.addresses = known.map(\.localAddress)
    // As many others as a large channel has.
    filter.addresses += (0..<300).map { TransportAddress(ipv4: 0x0A00_0000 + UInt32($0), port: 5_000) }
    filter.addUserName(startingLike: "k4mF9Qzz")
    #expect(server.setFilter(filter))
    let kinds: [[UInt8]] = [
      media(1), [0x80, 200] + pattern(40), [22, 254, 253] + pattern(90), check("k4mF9Qzz:abcd"), check("nobody:abcd"),
      check("k4mF:x", type: 0x0101), [20], [191, 0],
    ]
    let all = (0..<400).map { kinds[$0 / 8 % kinds.count] }
    #expect(count(all, from: known, to: server) == 400)
    let before = server.refusedDatagrams
    // Of many ports, a few at a time.
    var passed = 0
    for _ in 0..<50 {
      let strangers = try (0..<6).map { _ in try UDPSocket(host: client, port: 0) }
      passed += count((0..<6).map { media($0) }, from: strangers, to: server)
    }
    #expect(passed < 75)
    #expect(Int(server.refusedDatagrams - before) == 300 - passed)
    server.removeFilter()
    let stranger = try UDPSocket(host: client, port: 0)
    #expect(count((0..<100).map { media($0) }, from: [stranger], to: server) == 100)
  }

  @Test func `a check for a known user comes in from anywhere, wherever in it the name stands`() throws {
    let server = try UDPSocket(host: "127.0.0.1", port: 0)
    let strangers = try (0..<8).map { _ in try UDPSocket(host: "127.0.0.1", port: 0) }
    var filter = DatagramFilter()
    for number in 0..<500 { filter.addUserName(startingLike: name(number) + "tail") }
    #expect(server.setFilter(filter))
    let orders: [[(Attribute, Int)]] = [
      [], [(.priority, 4)], [(.useCandidate, 0), (.controlling, 8)],
      [(.controlling, 8), (.priority, 4), (.priority, 5)],
      // Further behind than is looked.
      Array(repeating: (.priority, 4), count: 9),
    ]
    let checks = (0..<500).flatMap { number in orders.map { check(name(number) + "tail:me", behind: $0) } }
    #expect(count(checks, from: strangers, to: server) == checks.count)
    let wrong = (0..<1_000).map { check("\(name(700 + $0)):me", behind: orders[$0 % 4]) }
    #expect(count(wrong, from: strangers, to: server) < 250)
  }

  /// Four characters that no other number has.
  private func name(_ number: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return String([letters[number / 676 % 26], letters[number / 26 % 26], letters[number % 26], "Q"])
  }

  @Test func `what is no datagram of a session is dropped, whoever it is from`() throws {
    let server = try UDPSocket(host: "127.0.0.1", port: 0)
    let client = try UDPSocket(host: "127.0.0.1", port: 0)
    var filter = DatagramFilter()
    filter.addresses = [client.localAddress]
    filter.addUserName(startingLike: "k4mF9Qzz")
    #expect(server.setFilter(filter))
    let junk: [[UInt8]] = [
      [], [4], [19] + pattern(30), [64, 1], [127] + pattern(1_000), [192], [255] + pattern(10), [0],
      [0, 1, 0, 0, 0x21],
      check("k4mF9Qzz:me", cookie: 0x2112_A443),
    ]
    #expect(count(junk, from: [client], to: server) == 0)
    // Strangers' checks that end before their name.
    let whole = check("k4mF9Qzz:me", behind: [(.priority, 4)])
    let cut = (1..<(whole.count - 8)).map { Array(whole.prefix($0)) }
    let other = [
      check("k4mF9Qzz:me", type: 0x0011), check("k4mF9Qzz:me", type: 0x0101), [UInt8](repeating: 0, count: 20),
    ]
    // A stranger may be taken for somebody known, one in a thousand.
    let keptOut = try (0..<6).count { _ in
      let stranger = try UDPSocket(host: "127.0.0.1", port: 0)
      return count(cut, from: [stranger], to: server) == cut.count { $0.count >= 36 }
        && count(other, from: [stranger], to: server) == 0
    }
    #expect(keptOut >= 4)
  }

  @Test(arguments: [0, 1, 2, 3, 64, 1_000, 2_000, 50_000])
  func `the kernel takes a filter of any size`(size: Int) throws {
    let server = try UDPSocket(host: "127.0.0.1", port: 0)
    let client = try UDPSocket(host: "127.0.0.1", port: 0)
    var filter = DatagramFilter()
    filter.addresses = (0..<size).map { TransportAddress(ipv4: 0x0A00_0000 + UInt32($0), port: UInt16($0 & 0xFFFF)) }
    for number in 0..<size { filter.addUserName(startingLike: String(number, radix: 36) + "....") }
    filter.addresses.append(client.localAddress)
    #expect(server.setFilter(filter))
    #expect(count([media(1), media(2)], from: [client], to: server) == 2)
  }

  @Test func `a closed socket takes no filter`() throws {
    let server = try UDPSocket(host: "127.0.0.1", port: 0)
    server.close()
    #expect(!server.setFilter(DatagramFilter()) && server.refusedDatagrams == 0)
    server.removeFilter()
  }
}
