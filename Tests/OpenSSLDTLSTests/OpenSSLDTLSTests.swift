import Glibc
import MediaBase
import OpenSSLDTLS
import SecureChannel
import TestSupport
import Testing

@Suite("DTLS by OpenSSL", .ownThread)
struct OpenSSLDTLSTests {
  /// Two sides and what happens to datagrams between them; the clock is the system's, as OpenSSL's is.
  final class Pair {
    let (clientIdentity, serverIdentity): (OpenSSLDTLS, OpenSSLDTLS)
    let (client, server): (any DTLSEndpoint, any DTLSEndpoint)
    var largest = 0
    var datagramCount = 0
    /// From where the client's datagrams come, if the server does not know that it is there.
    var unproved: TransportAddress?

    init(
      clientExpects: [UInt8]? = nil, serverExpects: [UInt8]? = nil, clientOffers: [SRTPProtectionProfile]? = nil,
      serverAccepts: [SRTPProtectionProfile]? = nil
    ) throws {
      clientIdentity = try #require(clientOffers.map { OpenSSLDTLS(profiles: $0) } ?? OpenSSLDTLS())
      serverIdentity = try #require(serverAccepts.map { OpenSSLDTLS(profiles: $0) } ?? OpenSSLDTLS())
      client = try #require(
        clientIdentity.makeEndpoint(
          isClient: true, remoteFingerprint: clientExpects ?? serverIdentity.fingerprint, now: Self.now))
      server = try #require(
        serverIdentity.makeEndpoint(
          isClient: false, remoteFingerprint: serverExpects ?? clientIdentity.fingerprint, now: Self.now))
    }

    static var now: MediaInstant {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return MediaInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Carries datagrams both ways until nobody has any, each through `change`, which gives what arrives.
    func exchange(_ change: (_ datagram: [UInt8], _ isFromClient: Bool) -> [[UInt8]] = { datagram, _ in [datagram] }) {
      var isIdle = false
      while !isIdle {
        isIdle = true
        for (from, to) in [(client, server), (server, client)] {
          while let datagram = from.pollTransmit() {
            isIdle = false
            datagramCount += 1
            largest = max(largest, datagram.count)
            for arrived in change(datagram, from === client) {
              arrived.withUnsafeBytes { to.receive($0, from: to === server ? unproved : nil, now: Self.now) }
            }
          }
        }
      }
    }

    /// Both sides are done and have the same keys.
    func expectEstablished() {
      guard case .established(let keys) = client.state else {
        Issue.record("\(client.state)")
        return
      }
      #expect(server.state == .established(keys))
    }

    /// Goes on with retransmissions until both are done, with patience.
    func complete(_ change: (_ datagram: [UInt8], _ isFromClient: Bool) -> [[UInt8]] = { datagram, _ in [datagram] }) {
      for _ in 0..<2_000 where client.state == .handshaking || server.state == .handshaking {
        exchange(change)
        usleep(5_000)
        for side in [client, server] { side.handleTimeout(now: Self.now) }
      }
    }
  }

  @Test("both sides agree on the keys of AEAD_AES_128_GCM in datagrams that any path takes")
  func agreement() throws {
    let pair = try Pair()
    pair.exchange()
    guard case .established(let client) = pair.client.state, case .established(let server) = pair.server.state else {
      Issue.record("\(pair.client.state) \(pair.server.state)")
      return
    }
    #expect(client == server && client.profile == .aeadAES128GCM)
    #expect(client.client.count == 28 && client.server.count == 28 && client.client != client.server)
    #expect(pair.largest <= 1_200)
    #expect(pair.client.nextTimeout == nil && pair.server.nextTimeout == nil)
    #expect(SRTPKeyMaterial(bytes: client.client) != nil)
  }

  @Test("a client that offers AES128_CM_HMAC_SHA1_80 alone gets it, with salts of 14 bytes")
  func counterMode() throws {
    let pair = try Pair(clientOffers: [.aes128CounterSHA1_80])
    pair.exchange()
    guard case .established(let client) = pair.client.state, case .established(let server) = pair.server.state else {
      Issue.record("\(pair.client.state) \(pair.server.state)")
      return
    }
    #expect(client == server && client.profile == .aes128CounterSHA1_80)
    #expect(client.client.count == 30 && client.server.count == 30 && client.client != client.server)
    #expect(SRTPKeyMaterial(profile: client.profile, bytes: client.client) != nil)
  }

  @Test("the server's order decides; without a profile in common there are no keys, and a list of none is refused")
  func choiceOfProfile() throws {
    let pair = try Pair(clientOffers: [.aes128CounterSHA1_80, .aeadAES128GCM])
    pair.exchange()
    guard case .established(let keys) = pair.server.state else {
      Issue.record("\(pair.server.state)")
      return
    }
    #expect(keys.profile == .aeadAES128GCM)
    let strangers = try Pair(clientOffers: [.aes128CounterSHA1_80], serverAccepts: [.aeadAES128GCM])
    strangers.exchange()
    #expect(strangers.client.state == .failed(.noProtectionProfile))
    #expect(strangers.server.state == .failed(.noProtectionProfile))
    #expect(OpenSSLDTLS(profiles: []) == nil)
  }

  @Test("a certificate that was not announced is refused, on either side")
  func wrongFingerprint() throws {
    let stranger = try #require(OpenSSLDTLS()).fingerprint
    let first = try Pair(clientExpects: stranger)
    first.exchange()
    #expect(first.client.state == .failed(.fingerprintMismatch))
    let second = try Pair(serverExpects: stranger)
    second.exchange()
    #expect(second.server.state == .failed(.fingerprintMismatch))
  }

  @Test("lost, doubled and reordered datagrams only cost time", arguments: 0..<8 as Range<UInt64>)
  func loss(seed: UInt64) throws {
    let pair = try Pair()
    var random = SeededRandom(seed: seed)
    var held: [Bool: [[UInt8]]] = [:]
    pair.complete { datagram, isFromClient in
      switch random.next() % 10 {
      case 0..<3: return []
      case 3: return [datagram, datagram]
      case 4:
        held[isFromClient, default: []].append(datagram)
        return []
      default:
        defer { held[isFromClient] = nil }
        return [datagram] + held[isFromClient, default: []]
      }
    }
    pair.expectEstablished()
  }

  @Test("either side can end the association, whichever of them still has OpenSSL's object")
  func end() throws {
    for clientEnds in [true, false] {
      let pair = try Pair()
      pair.exchange()
      (clientEnds ? pair.client : pair.server).close()
      #expect((clientEnds ? pair.client : pair.server).state == .closed)
      pair.exchange()
      #expect((clientEnds ? pair.server : pair.client).state == .closed)
    }
  }

  @Test("a forged or changed notice ends nothing")
  func forgedEnd() throws {
    let pair = try Pair()
    pair.exchange()
    pair.client.close()
    let notice = try #require(pair.client.pollTransmit())
    for position in notice.indices {
      var changed = notice
      changed[position] ^= 1
      changed.withUnsafeBytes { pair.server.receive($0, now: Pair.now) }
      // The low bits of the length make it another record; everything else is authenticated.
      guard case .established = pair.server.state else {
        Issue.record("ended by a notice whose byte \(position) was changed")
        return
      }
    }
    for count in 0..<notice.count { notice.prefix(count).withUnsafeBytes { pair.server.receive($0, now: Pair.now) } }
    guard case .established = pair.server.state else {
      Issue.record("ended by part of a notice")
      return
    }
    notice.withUnsafeBytes { pair.server.receive($0, now: Pair.now) }
    #expect(pair.server.state == .closed)
  }

  @Test("the last flight is sent again whenever the client repeats its own, not without end")
  func repeatedFlight() throws {
    let pair = try Pair()
    var last: [[UInt8]] = []
    pair.exchange { datagram, isFromClient in
      if isFromClient { last.append(datagram) }
      return [datagram]
    }
    let final = try #require(last.last)
    var answers = 0
    for _ in 0..<100 {
      final.withUnsafeBytes { pair.server.receive($0, now: Pair.now) }
      while pair.server.pollTransmit() != nil { answers += 1 }
    }
    #expect((1...64).contains(answers))
    guard case .established = pair.server.state else {
      Issue.record("\(pair.server.state)")
      return
    }
  }

  @Test("random and changed datagrams never trap, and nothing is agreed by them", arguments: 0..<10 as Range<UInt64>)
  func hostility(seed: UInt64) throws {
    let pair = try Pair()
    var random = SeededRandom(seed: seed)
    pair.exchange { datagram, _ in
      var changed = datagram
      if random.next() % 2 == 0 {
        changed[Int(random.next() % UInt64(changed.count))] ^= UInt8(truncatingIfNeeded: random.next() | 1)
      }
      let junk = (0..<Int(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      return [[22] + junk, changed]
    }
    if case .established(let keys) = pair.client.state, case .established(let others) = pair.server.state {
      #expect(keys == others)
    }
  }
}
