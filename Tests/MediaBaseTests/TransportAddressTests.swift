import Glibc
import MediaBase
import Testing

@Suite("Addresses as text") struct TransportAddressTests {
  @Test("every address comes back from its text")
  func roundTrip() {
    var random = SeededRandom(seed: 2)
    for _ in 0..<2_000 {
      let ipv4 = TransportAddress(ipv4: UInt32.random(in: 0...(.max), using: &random), port: 1)
      let ipv6 = TransportAddress(
        ipv6High: random.next() & random.next(), low: random.next() & random.next(), port: 65_535)
      for address in [ipv4, ipv6] {
        #expect(TransportAddress(host: address.host, port: address.port) == address)
        #expect(systemBytes(address.host) == bytes(of: address))
      }
    }
  }

  @Test("exactly what the system takes for an address is one, with the same bytes")
  func agreesWithTheSystem() {
    let samples = [
      "127.0.0.1", "0.0.0.0", "255.255.255.255", "::", "::1", "fe80::1", "1:2:3:4:5:6:7:8", "1::8", "1:2:3:4:5:6:7::",
      "::2:3:4:5:6:7:8", "::ffff:192.0.2.1", "64:ff9b::192.0.2.1", "1:2:3:4:5:6:1.2.3.4", "ABCD:ef01::",
      // And what looks like one.
      "", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8",
      "12345::",
      "1.2.3.4::", "1.2.3.4::1", "::1.2.3.4:5", "::1.2.3", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ",
      "+1.2.3.4",
      "１.2.3.4", "::ｆ", "1..3.4", "g::", "::1%lo", "localhost", "1:2:3:4:5:6:7:1.2.3.4", "-1::", "::+1", "::00001",
    ]
    var random = SeededRandom(seed: 3)
    let characters = Array("0123456789abcdefF:::...x")
    for sample in samples {
      #expect(ourBytes(sample) == systemBytes(sample), "\(sample)")
      for _ in 0..<300 {
        var text = Array(sample)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          let index = Int.random(in: 0...text.count, using: &random)
          let character = characters[Int.random(in: characters.indices, using: &random)]
          if index < text.count, Bool.random(using: &random) {
            text[index] = character
          } else {
            text.insert(character, at: index)
          }
        }
        #expect(ourBytes(String(text)) == systemBytes(String(text)), "\(String(text))")
      }
    }
  }

  @Test("an address with its port is written so that the port can be told from it")
  func descriptions() {
    #expect(TransportAddress(ipv4: 0x7F00_0001, port: 80).description == "127.0.0.1:80")
    #expect(TransportAddress(ipv6High: 0, low: 1, port: 80).description == "[0:0:0:0:0:0:0:1]:80")
  }

  private func ourBytes(_ text: String) -> [UInt8]? { TransportAddress(host: text, port: 0).map(bytes) }

  private func bytes(of address: TransportAddress) -> [UInt8] {
    let all = [address.high, address.low].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
    }
    return address.family == .ipv4 ? Array(all.suffix(4)) : all
  }

  private func systemBytes(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
  }
}
