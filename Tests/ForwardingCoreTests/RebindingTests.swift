import ForwardingCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import OpenSSLDTLS
import STUNWire
import SecureChannel
import TestSupport
import Testing

/// A check of client `id`, with an integrity that counts.
func plainCheck(_ id: UInt64, nominates: Bool = false) -> [UInt8] {
  var message = STUNMessageBuilder(
    .request, transactionID: STUNTransactionID(high: 1, low: .random(in: 1...UInt64.max)))
  message.add(username: "server\(id):client\(id)")
  message.add(priority: 1)
  message.add(iceControlling: 1)
  if nominates { message.addUseCandidate() }
  message.addMessageIntegrity(password: credentials("server\(id)").password) { key, message, digest in
    guard let result = OpenSSLCrypto.provider.hmacSHA1(key: Array(key), message: Array(message)) else { return false }
    digest.copyBytes(from: result)
    return true
  }
  message.addFingerprint()
  return written { _ = message.write(into: &$0) }
}

/// Peers whose NAT gives them another port, and whose checks for consent do not nominate.
@Suite("Another port without a nomination", .ownThread)
struct RebindingTests {
  private let room: TestRoom
  private let peer: HandshakePeer
  private let publisher: TestPeer

  /// A peer that has nominated its path once, and both publishes and receives.
  init() throws {
    let identity = try #require(OpenSSLDTLS())
    room = TestRoom(dtls: identity)
    peer = try #require(HandshakePeer(1, in: room, server: identity))
    publisher = room.join(2, publishes: bothForwarded)
    room.route(from: 2, to: 1)
    peer.run(milliseconds: 100)
    check(room.core.isConnected(client: 1))
  }

  /// Lets time pass with media in both directions; whether the peer's comes where it is.
  private func play(milliseconds: Int, peerSends: Bool = true) -> Bool {
    room.runs = []
    for step in 0..<milliseconds {
      if step % 20 == 0 {
        publisher.sendAudio()
        if peerSends { peer.send(ssrc: 7, payloadType: 111, payload: [1, 2, 3]) }
      }
      room.run(milliseconds: 1)
    }
    return room.runs.contains { $0.destination == peer.address }
  }

  @Test(
    "the check from there and media of the peer, which there is no more from where it was, are followed",
    arguments: [0, 1_000, 5_000])
  func publisherMoves(delay: Int) {
    #expect(play(milliseconds: 1_000))
    peer.address.port = 9_001
    // Before a check nothing from there counts.
    #expect(!play(milliseconds: delay))
    room.inject(plainCheck(1), from: peer.address)
    _ = play(milliseconds: 3_500)
    #expect(play(milliseconds: 20))
  }

  @Test("a peer that has nothing to send is followed with its first check from there")
  func silentPeerMoves() {
    #expect(play(milliseconds: 4_000, peerSends: false))
    room.inject(plainCheck(1), from: peer.address)
    #expect(play(milliseconds: 4_000, peerSends: false))
    peer.address.port = 9_001
    room.inject(plainCheck(1), from: peer.address)
    #expect(play(milliseconds: 20, peerSends: false))
  }

  @Test("media that goes on from where the peer was keeps the path, however often it checks another")
  func livePath() {
    let other = TransportAddress(ipv4: 0x0C00_0001, port: 9_002)
    for _ in 0..<20 {
      room.inject(plainCheck(1), from: other)
      #expect(play(milliseconds: 1_000))
      #expect(!room.runs.contains { $0.destination == other && $0.byteCount > 100 })
    }
  }
}
