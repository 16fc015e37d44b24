import ChannelCore
import ControlWire
import ForwardingCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import PeerTransport
import RTPWire
import SecureChannel
import Testing

/// A client of a shard: control messages and media.
final class ShardClient {
  let id: UInt64
  let address: TransportAddress
  var joined: JoinedResponse?
  var users: [UInt: ChannelUser] = [:]
  var offline: [UInt: UserOfflineReason] = [:]
  var isClosed = false
  var transport: PeerTransport?
  var received: [UInt32: Int] = [:]
  var keyFrameRequestCount = 0
  var sequenceNumber: UInt16 = 1

  init(_ id: UInt64) {
    self.id = id
    address = TransportAddress(ipv4: 0x0A00_0100 + UInt32(id), port: 6_000)
  }
}

final class ShardRoom {
  var shard: ChannelShard
  var now = MediaInstant(nanoseconds: 5_000_000_000)
  var clients: [UInt64: ShardClient] = [:]
  let server = TransportAddress(ipv4: 0xC000_0201, port: 7_000)
  var silent: Set<UInt64> = []
  /// Clients whose connectivity checks are lost.
  var lostChecks: Set<UInt64> = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init() {
    shard = ChannelShard(
      configuration: ShardConfiguration(candidates: [CandidateAddress(host: "192.0.2.1", port: 7_000)]),
      crypto: OpenSSLCrypto.provider, seed: 5, now: now)
  }

  /// - Parameter uid: the connection's number if it is not said.
  func join(
    _ id: UInt64, uid: UInt? = nil, publish: TrackFlags = .none, role: ClientRole = .broadcaster
  ) -> ShardClient {
    let client = ShardClient(id)
    clients[id] = client
    var request = joinRequest(uid ?? UInt(id), role: role, publish: publish)
    request.ice = ICEParameters(usernameFragment: "client\(id)", password: "passwordpasswordpassword")
    shard.receive(.join(request), from: id, now: now)
    pollControl()
    return client
  }

  func pollControl() {
    while let delivery = shard.pollControl() {
      guard let client = clients[delivery.client] else { continue }
      if delivery.closesAfter { client.isClosed = true }
      switch delivery.response {
      case .joined(let response): connect(client, response)
      case .userJoined(let user): client.users[user.uid] = user
      case .userLeft(let left): client.offline[left.uid] = left.reason
      default: break
      }
    }
  }

  private func connect(_ client: ShardClient, _ response: JoinedResponse) {
    client.joined = response
    for user in response.users { client.users[user.uid] = user }
    guard let outgoing = SRTPKeyMaterial(hexadecimal: response.srtp.clientKey),
      let incoming = SRTPKeyMaterial(hexadecimal: response.srtp.serverKey)
    else { return }
    client.transport = PeerTransport(
      configuration: PeerTransportConfiguration(
        role: .controlling,
        localCredentials: ICECredentials(
          usernameFragment: "client\(client.id)", password: "passwordpasswordpassword"),
        remoteCredentials: ICECredentials(
          usernameFragment: response.ice.usernameFragment, password: response.ice.password),
        remoteCandidates: [server], outgoingKey: outgoing, incomingKey: incoming, seed: client.id),
      crypto: OpenSSLCrypto.provider, now: now)
  }

  private func upload(_ client: ShardClient, _ datagram: [UInt8]) {
    guard !silent.contains(client.id) else { return }
    var copy = datagram
    copy.withUnsafeMutableBytes { shard.receive(datagram: $0, from: client.address, now: now) }
  }

  func run(milliseconds: Int) {
    for _ in 0..<milliseconds {
      now = now + .milliseconds(1)
      if let due = shard.nextTimeout, due <= now { shard.handleTimeout(now: now) }
      pollControl()
      for client in clients.values.sorted(by: { $0.id < $1.id }) { sendChecks(of: client) }
      drain()
    }
  }

  private func sendChecks(of client: ShardClient) {
    client.transport?.handleTimeout(now: now)
    var datagram = [UInt8](repeating: 0, count: 1_500)
    while client.transport != nil {
      let count = datagram.withUnsafeMutableBytes { bytes in
        var output = OutputRawSpan(buffer: bytes, initializedCount: 0)
        let destination = client.transport?.pollTransmit(into: &output)
        let count = output.finalize(for: bytes)
        return destination == nil ? 0 : count
      }
      guard count > 0 else { return }
      // STUN begins with two bits that are 0 (RFC 7983 section 7).
      if lostChecks.contains(client.id), datagram[0] < 4 { continue }
      upload(client, Array(datagram[..<count]))
    }
  }

  func drain() {
    while true {
      let run = buffer.withUnsafeMutableBytes { shard.drain(into: $0, now: now) }
      guard let run else { return }
      guard let client = clients.values.first(where: { $0.address == run.destination }) else { continue }
      for start in stride(from: 0, to: run.byteCount, by: run.segmentSize) {
        deliver(Array(buffer[start..<min(start + run.segmentSize, run.byteCount)]), to: client)
      }
    }
  }

  private func deliver(_ datagram: [UInt8], to client: ShardClient) {
    var copy = datagram
    let outcome = copy.withUnsafeMutableBytes { client.transport?.receive($0, from: server, now: now) }
    switch outcome {
    case .rtp:
      let ssrc = copy[8..<12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      client.received[ssrc, default: 0] += 1
    case .rtcp: if copy[1] == 206 { client.keyFrameRequestCount += 1 }
    default: break
    }
  }

  func sendKeyFrame(from client: ShardClient) {
    guard let joined = client.joined else { return }
    let header = RTPHeader(
      payloadType: joined.rtp.vp8, sequenceNumber: client.sequenceNumber, timestamp: 0, ssrc: joined.ssrcs.video)
    client.sequenceNumber &+= 1
    let payload: [UInt8] = [0x10, 0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xB4, 0x00, 1, 2]
    var datagram = written {
      _ = header.write(into: &$0)
      for byte in payload { $0.append(byte) }
    }
    let length = datagram.count
    datagram += [UInt8](repeating: 0, count: 16)
    let sealed = datagram.withUnsafeMutableBytes { client.transport?.protectRTP($0, length: length) }
    #expect(sealed == length + 16)
    upload(client, datagram)
    drain()
  }
}

@Suite struct ChannelShardTests {
  @Test func mediaFlowsByTheSSRCsThatTheControlPlaneAnnounced() throws {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 10)
    #expect(host.keyFrameRequestCount == 1)
    room.sendKeyFrame(from: host)
    let ssrc = try #require(viewer.users[1]?.ssrcs.video)
    #expect(viewer.received == [ssrc: 1])
    let statistics = room.shard.statistics
    #expect(statistics.channelCount == 1 && statistics.userCount == 2)
    #expect(statistics.sentPackets == 1 && statistics.droppedPackets == 0)
  }

  @Test func duringTheHostsCallViewersGetNothingAndAfterItTheyStartWithAKeyFrame() throws {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2, role: .audience)
    room.run(milliseconds: 10)
    room.sendKeyFrame(from: host)
    room.shard.receive(.update(UpdateRequest(requestID: 1, publish: TrackFlags.none)), from: 1, now: room.now)
    room.sendKeyFrame(from: host)
    #expect(viewer.received.values.reduce(0, +) == 1)
    room.run(milliseconds: 1_000)
    let requests = host.keyFrameRequestCount
    room.shard.receive(.update(UpdateRequest(requestID: 2, publish: bothTracks)), from: 1, now: room.now)
    room.drain()
    #expect(host.keyFrameRequestCount == requests + 1)
    room.sendKeyFrame(from: host)
    #expect(viewer.received.values.reduce(0, +) == 2)
  }

  @Test func aUserWhoseMediaNeverConnectsIsDropped() {
    let room = ShardRoom()
    room.silent = [1]
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2)
    room.run(milliseconds: 31_000)
    #expect(host.isClosed && !viewer.isClosed)
    #expect(viewer.offline == [1: .dropped])
    let statistics = room.shard.statistics
    #expect(statistics.userCount == 1 && statistics.lostUserCount == 1)
    room.shard.clientClosed(1, now: room.now)
    #expect(room.shard.pollControl() == nil)
  }

  @Test func aUserWhoseMediaFallsSilentIsDropped() {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2)
    room.run(milliseconds: 100)
    room.silent = [1]
    room.run(milliseconds: 37_000)
    #expect(host.isClosed && viewer.offline == [1: .dropped])
    // The same user can join again.
    room.silent = []
    let again = room.join(11, publish: bothTracks)
    room.run(milliseconds: 10)
    room.sendKeyFrame(from: again)
    #expect(viewer.received.values.reduce(0, +) == 1)
  }

  @Test func whoLeavesStopsReceivingAtOnce() {
    let room = ShardRoom()
    let host = room.join(1, publish: bothTracks)
    let viewer = room.join(2)
    room.run(milliseconds: 10)
    room.shard.receive(.leave, from: 2, now: room.now)
    room.sendKeyFrame(from: host)
    #expect(viewer.received.isEmpty)
    room.shard.receive(.leave, from: 1, now: room.now)
    #expect(room.shard.nextTimeout == nil)
    #expect(room.shard.statistics.channelCount == 0)
  }
}
