import ICEAgent
import MediaBase
import OpenSSLCrypto
import SecureChannel
import Testing

@testable import PeerTransport

private let clientCredentials = ICECredentials(usernameFragment: "clnt", password: "client-password-of-24-ch")
private let serverCredentials = ICECredentials(usernameFragment: "srvr", password: "server-password-of-24-ch")
private let clientAddress = TransportAddress(ipv4: 0x7F00_0001, port: 40_000)
private let serverAddress = TransportAddress(ipv4: 0x7F00_0001, port: 5_000)

/// A client's and a server's transport that know each other.
private struct Pair: ~Copyable {
  var client: PeerTransport
  var server: PeerTransport

  init() throws {
    let keys = try (0..<2).map { side in
      try #require(SRTPKeyMaterial(bytes: (0..<28).map { UInt8($0 + side * 100) }))
    }
    client = PeerTransport(
      configuration: PeerTransportConfiguration(
        role: .controlling, localCredentials: clientCredentials, remoteCredentials: serverCredentials,
        remoteCandidates: [serverAddress], outgoingKey: keys[0], incomingKey: keys[1], seed: 1),
      crypto: OpenSSLCrypto.provider, now: .zero)
    server = PeerTransport(
      configuration: PeerTransportConfiguration(
        role: .lite, localCredentials: serverCredentials, remoteCredentials: clientCredentials, remoteCandidates: [],
        outgoingKey: keys[1], incomingKey: keys[0], seed: 2),
      crypto: OpenSSLCrypto.provider, now: .zero)
  }

  mutating func connect() {
    while var check = datagram(of: &client) {
      _ = receive(&check, &server, from: clientAddress)
      while var answer = datagram(of: &server) { _ = receive(&answer, &client, from: serverAddress) }
    }
  }
}

private func datagram(of transport: inout PeerTransport) -> [UInt8]? {
  var isThere = false
  let bytes = [UInt8](unsafeUninitializedCapacity: 1_500) { buffer, count in
    var output = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
    isThere = transport.pollTransmit(into: &output) != nil
    count = output.finalize(for: UnsafeMutableRawBufferPointer(buffer))
  }
  return isThere ? bytes : nil
}

private func receive(
  _ bytes: inout [UInt8], _ transport: inout PeerTransport, from source: TransportAddress = clientAddress
) -> ReceivedDatagram {
  bytes.withUnsafeMutableBytes { transport.receive($0, from: source, now: .zero) }
}

private func protected(_ packet: [UInt8], isRTCP: Bool = false, _ transport: inout PeerTransport) -> [UInt8] {
  var buffer = packet + [UInt8](repeating: 0, count: 32)
  let length = buffer.withUnsafeMutableBytes {
    isRTCP ? transport.protectRTCP($0, length: packet.count) : transport.protectRTP($0, length: packet.count)
  }
  // Nothing at all stands for a refusal: no test expects it.
  return Array(buffer.prefix(length ?? 0))
}

private let rtpPacket: [UInt8] = [0x80, 96, 0, 7, 0, 0, 0, 1, 0, 0, 0, 9, 1, 2, 3]
private let rtcpPacket: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 9]

@Suite struct PeerTransportTests {
  @Test func transportsConnectAndCarryRTPAndRTCPBothWays() throws {
    var pair = try Pair()
    pair.connect()
    let events = (pair.client.pollEvent(), pair.server.pollEvent())
    #expect(events.0 == .connected(serverAddress) && events.1 == .connected(clientAddress))
    for isRTCP in [false, true] {
      let plain = isRTCP ? rtcpPacket : rtpPacket
      var up = protected(plain, isRTCP: isRTCP, &pair.client)
      var down = protected(plain, isRTCP: isRTCP, &pair.server)
      #expect(up != down)
      let results = [receive(&up, &pair.server), receive(&down, &pair.client, from: serverAddress)]
      #expect(results == Array(repeating: isRTCP ? .rtcp(plain.count) : .rtp(plain.count), count: 2))
      #expect(Array(up.prefix(plain.count)) == plain && Array(down.prefix(plain.count)) == plain)
    }
  }

  @Test func replayedAndForgedPacketsAreDropped() throws {
    var pair = try Pair()
    let packet = protected(rtpPacket, &pair.client)
    var copies = [packet, packet, packet]
    copies[2][14] ^= 1
    let results = [
      receive(&copies[2], &pair.server), receive(&copies[0], &pair.server), receive(&copies[1], &pair.server),
    ]
    #expect(results == [.dropped(.srtp), .rtp(rtpPacket.count), .dropped(.srtp)])
  }

  @Test func mediaFromAStrangeAddressIsTakenButDoesNotMoveThePath() throws {
    var pair = try Pair()
    pair.connect()
    var packet = protected(rtpPacket, &pair.client)
    let result = receive(&packet, &pair.server, from: TransportAddress(ipv4: 0x0102_0304, port: 4))
    let address = pair.server.selectedRemoteAddress
    #expect(result == .rtp(rtpPacket.count) && address == clientAddress)
  }

  @Test func randomAndChangedDatagramsNeitherTrapNorChangeAnything() throws {
    var pair = try Pair()
    var random = SeededRandom(seed: 4)
    let seeds = [
      datagram(of: &pair.client) ?? [], protected(rtpPacket, &pair.client),
      protected(rtcpPacket, isRTCP: true, &pair.client),
    ]
    for round in 0..<30_000 {
      var bytes = seeds[round % 3]
      if round % 2 == 0 {
        bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      } else {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        bytes.removeLast(Int.random(in: 0..<4, using: &random))
      }
      guard case .dropped = receive(&bytes, &pair.server) else {
        Issue.record("taken: \(bytes)")
        return
      }
    }
    let address = pair.server.selectedRemoteAddress
    #expect(address == nil)
    let answer = datagram(of: &pair.server)
    #expect(answer == nil)
  }
}
