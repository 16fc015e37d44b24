import ForwardingCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import PeerTransport
import RTPSession
import Testing

/// A whole client: transport and session.
private final class SessionClient {
  let id: UInt64
  let address: TransportAddress
  var transport: PeerTransport
  var session: RTPSession
  var frames: [EncodedVideoFrame] = []
  var audioCount = 0
  var wantsKeyFrame = false

  init(_ id: UInt64, server: TransportAddress, now: MediaInstant) {
    self.id = id
    address = TransportAddress(ipv4: 0x0A00_0000 + UInt32(id), port: 5_000)
    transport = PeerTransport(
      configuration: PeerTransportConfiguration(
        role: .controlling, localCredentials: credentials("client\(id)"),
        remoteCredentials: credentials("server\(id)"), remoteCandidates: [server], outgoingKey: key(id * 2),
        incomingKey: key(id * 2 + 1), seed: id), crypto: OpenSSLCrypto.provider, now: now)
    session = RTPSession(
      configuration: RTPSessionConfiguration(cname: "client\(id)", rtcpSSRC: UInt32(id)), now: now)
  }

  /// The next datagram, protected.
  func pollTransmit() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1_500)
    let count = buffer.withUnsafeMutableBytes { bytes -> Int in
      var output = OutputRawSpan(buffer: bytes, initializedCount: 0)
      if transport.pollTransmit(into: &output) != nil { return output.finalize(for: bytes) }
      guard transport.selectedRemoteAddress != nil, let kind = session.pollTransmit(into: &output) else { return 0 }
      let length = output.finalize(for: bytes)
      switch kind {
      case .rtp: return transport.protectRTP(bytes, length: length) ?? 0
      case .rtcp: return transport.protectRTCP(bytes, length: length) ?? 0
      }
    }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  func receive(_ datagram: [UInt8], from server: TransportAddress, now: MediaInstant) {
    var copy = datagram
    let outcome = copy.withUnsafeMutableBytes { transport.receive($0, from: server, now: now) }
    switch outcome {
    case .rtp(let length):
      let packet = Array(copy[..<length])
      session.receiveRTP(packet.span.bytes, now: now)
    case .rtcp(let length):
      let packet = Array(copy[..<length])
      session.receiveRTCP(packet.span.bytes, now: now)
    case .consumed, .dropped: break
    }
    while let event = session.pollEvent() {
      switch event {
      case .videoFrame(_, let frame): frames.append(frame)
      case .audioPacket: audioCount += 1
      case .keyFrameRequested: wantsKeyFrame = true
      case .goodbye, .firstPacket: break
      }
    }
  }
}

/// A publisher, the core and subscribers over links that delay, lose and reorder in both directions.
private final class LossyRoom {
  struct Flight {
    var due: MediaInstant
    var bytes: [UInt8]
    var address: TransportAddress
    var isUp: Bool
  }

  let server = TransportAddress(ipv4: 0xC000_0201, port: 7_000)
  var now = MediaInstant(nanoseconds: 1_000_000_000)
  var core = ForwardingCore(crypto: OpenSSLCrypto.provider, seed: 1)
  var clients: [SessionClient] = []
  var sent: [EncodedVideoFrame] = []
  private var flights: [Flight] = []
  private var random: SeededRandom
  /// In percent.
  var loss: UInt64 = 0
  private var slab = [UInt8](repeating: 0, count: 65_536)

  init(seed: UInt64, subscribers: Int) {
    random = SeededRandom(seed: seed)
    for id in 1...UInt64(subscribers + 1) {
      clients.append(SessionClient(id, server: server, now: now))
      _ = core.addPeer(description(id), now: now)
    }
    core.setPublished(client: 1, tracks: bothForwarded, now: now)
    clients[0].session.addSendStream(kind: .video, ssrc: peerSSRCs(1).video, rtxSSRC: peerSSRCs(1).videoRTX)
    clients[0].session.addSendStream(kind: .audio, ssrc: peerSSRCs(1).audio, rtxSSRC: nil)
    for client in clients.dropFirst() {
      _ = core.addRoute(
        ForwardingRoute(
          subscriber: client.id, publisher: 1, ssrcs: routeSSRCs(1), subscribed: bothForwarded), now: now)
      client.session.addReceiveStream(kind: .video, ssrc: video, rtxSSRC: videoRTX)
      client.session.addReceiveStream(kind: .audio, ssrc: audio, rtxSSRC: nil)
    }
  }

  private func launch(_ bytes: [UInt8], _ address: TransportAddress, isUp: Bool) {
    guard random.next() % 100 >= loss else { return }
    let delay = MediaDuration.microseconds(20_000 + Int64(random.next() % 3_000))
    flights.append(Flight(due: now + delay, bytes: bytes, address: address, isUp: isUp))
  }

  private func land() {
    let due = flights.filter { $0.due <= now }.sorted { $0.due < $1.due }
    flights.removeAll { $0.due <= now }
    for flight in due {
      if flight.isUp {
        var copy = flight.bytes
        copy.withUnsafeMutableBytes { core.receive(datagram: $0, from: flight.address, now: now) }
      } else {
        clients.first { $0.address == flight.address }?.receive(flight.bytes, from: server, now: now)
      }
    }
  }

  private func drain() {
    while true {
      let run = slab.withUnsafeMutableBytes { core.drain(into: $0, now: now) }
      guard let run else { return }
      for start in stride(from: 0, to: run.byteCount, by: run.segmentSize) {
        launch(Array(slab[start..<min(start + run.segmentSize, run.byteCount)]), run.destination, isUp: false)
      }
    }
  }

  private func produce(_ tick: Int) {
    let publisher = clients[0]
    guard publisher.transport.selectedRemoteAddress != nil else { return }
    if tick % 20 == 0 {
      publisher.session.send(
        audio: EncodedAudioFrame(
          data: [0x78] + [UInt8](repeating: 1, count: 80), timestamp: UInt32(tick * 48), sampleCount: 960), level: 20,
        ssrc: peerSSRCs(1).audio, now: now)
    }
    guard tick % 33 == 0 else { return }
    let isKey = sent.isEmpty || publisher.wantsKeyFrame
    publisher.wantsKeyFrame = false
    var data: [UInt8] = isKey ? [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xB4, 0x00] : [0x11, 0, 0]
    for _ in 0..<(isKey ? 12_000 : 4_000) { data.append(UInt8(truncatingIfNeeded: random.next())) }
    let frame = EncodedVideoFrame(data: data, isKeyFrame: isKey, timestamp: UInt32(tick * 90), captureTime: now)
    sent.append(frame)
    publisher.session.send(video: frame, ssrc: peerSSRCs(1).video, now: now)
  }

  func run(milliseconds: Int) {
    for tick in 0..<milliseconds {
      now = now + .milliseconds(1)
      land()
      if let due = core.nextTimeout, due <= now { core.handleTimeout(now: now) }
      drain()
      produce(tick)
      for client in clients {
        client.transport.handleTimeout(now: now)
        client.session.handleTimeout(now: now)
        while let bytes = client.pollTransmit() { launch(bytes, client.address, isUp: true) }
      }
    }
  }
}

@Suite struct LossyNetworkTests {
  @Test(arguments: [0, 5, 10] as [UInt64]) func framesSurviveLossOnBothLegs(loss: UInt64) {
    let room = LossyRoom(seed: 11 + loss, subscribers: 2)
    room.run(milliseconds: 1_000)
    let start = room.sent.count
    room.loss = loss
    room.run(milliseconds: 20_000)
    let produced = room.sent.count - start
    for client in room.clients.dropFirst() {
      // Whatever is shown is what was sent, in order.
      let originals = Dictionary(grouping: room.sent, by: { $0.data })
      #expect(client.frames.allSatisfy { originals[$0.data] != nil })
      let share = Double(client.frames.count) / Double(room.sent.count)
      #expect(share > (loss == 0 ? 0.99 : 0.9), "\(client.frames.count) of \(room.sent.count)")
      #expect(Double(client.audioCount) > 1_050 * (1 - 2.5 * Double(loss) / 100) - 10)
    }
    #expect(produced > 500)
    let statistics = room.core.statistics
    #expect((statistics.recoveredPackets > 0) == (loss > 0))
    #expect(statistics.retransmittedPackets > 0 || loss == 0)
  }
}
