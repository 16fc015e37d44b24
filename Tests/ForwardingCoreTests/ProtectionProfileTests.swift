import ForwardingCore
import MediaBase
import RTPWire
import SecureChannel
import Testing

/// Handshakes that a single datagram completes, with the keys of the peer whose number is its fingerprint.
private struct ScriptedDTLS: DTLSProvider {
  let fingerprint: [UInt8] = [0]
  var profile: SRTPProtectionProfile
  /// Bytes missing at the end of the keys.
  var missing = 0

  final class Endpoint: DTLSEndpoint {
    private(set) var state = DTLSState.handshaking
    private let keys: DTLSKeys
    let nextTimeout: MediaInstant? = nil

    init(keys: DTLSKeys) { self.keys = keys }
    let provedAddress: TransportAddress? = nil
    func receive(_ datagram: UnsafeRawBufferPointer, from unproved: TransportAddress?, now: MediaInstant) {
      state = .established(keys)
    }
    func pollTransmit() -> [UInt8]? { nil }
    func handleTimeout(now: MediaInstant) {}
    func close() { state = .closed }
  }

  func makeEndpoint(isClient: Bool, remoteFingerprint: [UInt8], now: MediaInstant) -> (any DTLSEndpoint)? {
    guard let id = remoteFingerprint.first.map(UInt64.init) else { return nil }
    return Endpoint(
      keys: DTLSKeys(
        profile: profile, client: keyBytes(id * 2, profile).dropLast(missing),
        server: keyBytes(id * 2 + 1, profile).dropLast(missing)))
  }
}

@Suite("Peers with either protection profile")
struct ProtectionProfileTests {
  /// A peer's only datagram of its handshake.
  private let handshake: [UInt8] = [22, 0, 0]

  @Test("packets go from each profile to each, also again, with tags of the receiver's profile")
  func mixed() {
    let room = TestRoom()
    let publisher = room.join(1, publishes: bothForwarded, profile: .aes128CounterSHA1_80)
    let others = [
      room.join(2, profile: .aeadAES128GCM), room.join(3, profile: .aes128CounterSHA1_80),
    ]
    for other in others { room.route(from: 1, to: other.id) }
    room.run(milliseconds: 20)
    room.runs = []
    publisher.sendPicture(isKey: true, packetCount: 5, byteCount: 1_000)
    publisher.sendAudio()
    room.turn()
    for other in others {
      #expect(other.seen(video).count == 5 && other.seen(audio).count == 1 && other.rejectedCount == 0)
      check(isContinuous(other.seen(video)))
      other.sendNACK(video, [other.seen(video)[1].header.sequenceNumber])
    }
    let sizes = others.map { other in
      room.runs.filter { $0.destination == other.address }.map(\.segmentSize).max() ?? 0
    }
    #expect(sizes[0] - sizes[1] == 6)
    room.turn()
    for other in others { #expect(other.seen(videoRTX).count == 1 && other.rejectedCount == 0) }
    // Long enough for reports.
    room.run(milliseconds: 3_000)
    #expect(publisher.keyFrameRequestCount > 0 && !publisher.reports.isEmpty && publisher.rejectedCount == 0)
    #expect(room.core.statistics.droppedUnauthenticated == 0)
  }

  @Test("keys of either profile come from a handshake", arguments: SRTPProtectionProfile.allCases)
  func byHandshake(profile: SRTPProtectionProfile) {
    let room = TestRoom(dtls: ScriptedDTLS(profile: profile))
    let publisher = room.join(1, publishes: bothForwarded, profile: profile, byHandshake: true)
    let subscriber = room.join(2, profile: .aeadAES128GCM)
    room.route(from: 1, to: 2)
    room.run(milliseconds: 20)
    check(!room.core.isConnected(client: 1))
    publisher.outgoing.append(handshake)
    room.run(milliseconds: 20)
    check(room.core.isConnected(client: 1))
    publisher.sendPicture(isKey: true)
    room.turn()
    #expect(subscriber.seen(video).count == 3)
    #expect(publisher.keyFrameRequestCount > 0 && publisher.rejectedCount == 0)
  }

  @Test("a peer whose handshake gives keys of another length is lost", arguments: SRTPProtectionProfile.allCases)
  func unfitKeys(profile: SRTPProtectionProfile) {
    let room = TestRoom(dtls: ScriptedDTLS(profile: profile, missing: 1))
    let peer = room.join(1, profile: profile, byHandshake: true)
    room.run(milliseconds: 20)
    peer.outgoing.append(handshake)
    room.run(milliseconds: 20)
    check(!room.core.isConnected(client: 1))
    #expect(room.events == [.peerLost(client: 1)])
  }
}
