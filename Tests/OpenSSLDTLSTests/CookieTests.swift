import MediaBase
import OpenSSLDTLS
import SecureChannel
import TestSupport
import Testing

@Suite("The cookies of DTLS handshakes", .ownThread)
struct CookieTests {
  private typealias Pair = OpenSSLDTLSTests.Pair
  private let address = TransportAddress(ipv4: 0x0A00_0001, port: 5_000)

  /// The kinds of handshake messages that stand first in datagrams.
  private func kind(_ datagram: [UInt8]) -> UInt8? { datagram.count > 13 && datagram[0] == 22 ? datagram[13] : nil }
  private static let helloVerifyRequest: UInt8 = 3
  private static let serverHello: UInt8 = 2

  /// The client's second first message, with the cookie.
  private func helloWithCookie(_ pair: Pair) throws -> [UInt8] {
    let hello = try #require(pair.client.pollTransmit())
    hello.withUnsafeBytes { pair.server.receive($0, from: address, now: Pair.now) }
    let request = try #require(pair.server.pollTransmit())
    #expect(kind(request) == Self.helloVerifyRequest && request.count < hello.count)
    request.withUnsafeBytes { pair.client.receive($0, now: Pair.now) }
    return try #require(pair.client.pollTransmit())
  }

  @Test("who is at an unproved address has to repeat a cookie: before that no more goes out than has come in")
  func exchange() throws {
    let pair = try Pair()
    pair.unproved = address
    var (inCount, outCount) = (0, 0)
    var kinds: [UInt8?] = []
    pair.exchange { datagram, isFromClient in
      guard pair.server.provedAddress == nil else { return [datagram] }
      if isFromClient { inCount += datagram.count } else { outCount += datagram.count }
      #expect(outCount <= inCount)
      if !isFromClient { kinds.append(kind(datagram)) }
      return [datagram]
    }
    #expect(kinds == [Self.helloVerifyRequest] && pair.server.provedAddress == address)
    pair.expectEstablished()
  }

  @Test("who is at a proved address gets the server's first flight at once")
  func provedAddress() throws {
    let pair = try Pair()
    var kinds: [UInt8?] = []
    pair.exchange { datagram, isFromClient in
      if !isFromClient { kinds.append(kind(datagram)) }
      return [datagram]
    }
    #expect(kinds.first == Self.serverHello && !kinds.contains(Self.helloVerifyRequest))
  }

  @Test("a cookie that is lost is sent again when the client asks again, and so is one for an address that has changed")
  func lostCookie() throws {
    for changesAddress in [false, true] {
      let pair = try Pair()
      pair.unproved = address
      var lost = 0
      pair.complete { datagram, isFromClient in
        guard !isFromClient, lost < 2 else { return [datagram] }
        lost += 1
        if changesAddress { pair.unproved?.port += 1 }
        return []
      }
      #expect(lost == 2 && pair.server.provedAddress == pair.unproved)
      guard case .established = pair.server.state else {
        Issue.record("\(pair.server.state)")
        return
      }
    }
  }

  @Test("a cookie of another address, of another association, or a changed one proves nothing, and ends nothing")
  func wrongCookies() throws {
    let pair = try Pair()
    let hello = try helloWithCookie(pair)
    let others = [
      TransportAddress(ipv4: 0x0A00_0001, port: 5_001), TransportAddress(ipv4: 0x0A00_0002, port: 5_000),
      TransportAddress(ipv6High: 0, low: 0x0A00_0001, port: 5_000),
    ]
    for other in others {
      let again = try Pair()
      let theirs = try helloWithCookie(again)
      theirs.withUnsafeBytes { again.server.receive($0, from: other, now: Pair.now) }
      #expect(again.server.provedAddress == nil && again.server.state == .handshaking)
    }
    let stranger = try Pair()
    _ = try helloWithCookie(stranger)
    hello.withUnsafeBytes { stranger.server.receive($0, from: address, now: Pair.now) }
    #expect(stranger.server.provedAddress == nil && stranger.server.state == .handshaking)
    // Behind the random number and an empty session id stands the cookie.
    let changing = try Pair()
    var changed = try helloWithCookie(changing)
    let place = 13 + 12 + 2 + 32 + 1
    #expect(changed[place] == 32)
    changed[place + 5] ^= 1
    changed.withUnsafeBytes { changing.server.receive($0, from: address, now: Pair.now) }
    #expect(changing.server.provedAddress == nil && changing.server.state == .handshaking)
    hello.withUnsafeBytes { pair.server.receive($0, from: address, now: Pair.now) }
    #expect(pair.server.provedAddress == address)
  }
}
