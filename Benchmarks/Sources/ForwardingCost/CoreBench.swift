import ForwardingCore
import ICEAgent
import LinuxIO
import MediaBase
import RTPWire
import STUNWire
import SecureChannel

/// The packet path alone, in this thread, without a socket: one publisher's pictures to subscribers that only exist as
/// addresses.
final class CoreBench {
  private var core: ForwardingCore
  private var publisher: SRTPSender
  private let publisherAddress = TransportAddress(ipv4: 0x7F00_0001, port: 1_000)
  private let slab = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
  private let frame = UnsafeMutableRawBufferPointer.allocate(byteCount: 8 * 2_048, alignment: 64)
  private var sequenceNumber: UInt16 = 1
  private var timestamp: UInt32 = 1
  private var now = MediaInstant(nanoseconds: 1_000_000_000)

  static let packetsPerPicture = 8
  static let payloadByteCount = 1_176
  private static let ssrcs = ForwardedSSRCs(audio: 11, video: 12, videoRTX: 13)

  /// `nil` if the peers do not connect.
  init?(subscribers: Int, crypto: CryptoProvider) {
    core = ForwardingCore(crypto: crypto, seed: 7)
    guard let material = SRTPKeyMaterial(bytes: [UInt8](repeating: 7, count: SRTPKeyMaterial.byteCount)),
      let sender = try? SRTPSender(material: material, crypto: crypto)
    else { return nil }
    publisher = sender
    for client in 0...UInt64(subscribers) {
      let local = ICECredentials(usernameFragment: "peer\(client)", password: "serverserverserverserver")
      let remote = ICECredentials(usernameFragment: "user\(client)", password: "clientclientclientclient")
      guard
        core.addPeer(
          ForwardingPeer(
            client: client, localCredentials: local, remoteCredentials: remote,
            security: .keys(incoming: material, outgoing: material), ssrcs: Self.ssrcs), now: now),
        connect(client, local, remote, crypto)
      else { return nil }
      guard client > 0 else {
        core.setPublished(client: 0, tracks: ForwardedTracks(audio: true, video: true), now: now)
        continue
      }
      let number = UInt32(truncatingIfNeeded: client)
      _ = core.addRoute(
        ForwardingRoute(
          subscriber: client, publisher: 0,
          ssrcs: ForwardedSSRCs(audio: 1_000 + number, video: 10_000 + number, videoRTX: 100_000 + number),
          subscribed: ForwardedTracks(audio: true, video: true)), now: now)
    }
    while core.drain(into: slab, now: now) != nil {}
  }

  deinit {
    slab.deallocate()
    frame.deallocate()
  }

  private func connect(
    _ client: UInt64, _ local: ICECredentials, _ remote: ICECredentials, _ crypto: CryptoProvider
  ) -> Bool {
    let address = TransportAddress(ipv4: 0x7F00_0001, port: UInt16(1_000 + client))
    let authenticate = crypto.authenticateSHA1
    var agent = ICEAgent(
      configuration: ICEConfiguration(
        role: .controlling, localCredentials: remote, remoteCredentials: local, remoteCandidates: [publisherAddress],
        seed: client),
      hmacSHA1: { key, message, digest in
        guard let key = key.bindMemory(to: UInt8.self).baseAddress.map({ ($0, key.count) }),
          let message = message.bindMemory(to: UInt8.self).baseAddress.map({ ($0, message.count) }),
          let digest = digest.bindMemory(to: UInt8.self).baseAddress
        else { return false }
        return authenticate(key.0, key.1, message.0, message.1, digest)
      }, now: now)
    var output = OutputRawSpan(buffer: slab, initializedCount: 0)
    _ = agent.pollTransmit(into: &output, now: now)
    let count = output.finalize(for: slab)
    core.receive(datagram: UnsafeMutableRawBufferPointer(rebasing: slab[..<count]), from: address, now: now)
    while core.drain(into: slab, now: now) != nil {}
    return core.isConnected(client: client)
  }

  /// Seals a picture, which is not measured, and forwards it; nanoseconds of CPU time for that.
  func forwardPicture(isKey: Bool) -> Int64 {
    now = now + .milliseconds(33)
    timestamp &+= 3_000
    var lengths: [Int] = []
    for place in 0..<Self.packetsPerPicture {
      let region = UnsafeMutableRawBufferPointer(rebasing: frame[place * 2_048..<(place + 1) * 2_048])
      lengths.append(writePacket(place, isKey: isKey, into: region))
    }
    let before = ProcessStatistics.currentThreadCPUTime()
    for place in 0..<Self.packetsPerPicture {
      core.receive(
        datagram: UnsafeMutableRawBufferPointer(rebasing: frame[place * 2_048..<place * 2_048 + lengths[place]]),
        from: publisherAddress, now: now)
    }
    while core.drain(into: slab, now: now) != nil {}
    return (ProcessStatistics.currentThreadCPUTime() - before).nanoseconds
  }

  /// Nanoseconds of CPU time for taking the publisher out.
  func removePublisher() -> Int64 {
    let before = ProcessStatistics.currentThreadCPUTime()
    core.removePeer(client: 0)
    while core.drain(into: slab, now: now) != nil {}
    return (ProcessStatistics.currentThreadCPUTime() - before).nanoseconds
  }

  var forwardedPackets: UInt64 { core.statistics.forwardedPackets }

  private func writePacket(_ place: Int, isKey: Bool, into region: UnsafeMutableRawBufferPointer) -> Int {
    var output = OutputRawSpan(buffer: region, initializedCount: 0)
    let header = RTPHeader(
      marker: place == Self.packetsPerPicture - 1, payloadType: 96, sequenceNumber: sequenceNumber,
      timestamp: timestamp, ssrc: Self.ssrcs.video)
    _ = header.write(into: &output, hasExtension: true)
    RTPHeaderExtension.writePrefix(elementBytes: 3, into: &output)
    RTPHeaderExtension.writeTransportSequenceNumber(id: 3, sequenceNumber, into: &output)
    RTPHeaderExtension.writePadding(elementBytes: 3, into: &output)
    sequenceNumber &+= 1
    // RFC 7741 section 4.2, with picture id, TL0PICIDX and TID.
    let number = UInt16(truncatingIfNeeded: timestamp / 3_000) & 0x7FFF
    for byte in [
      place == 0 ? 0x90 : 0x80, 0xE0, UInt8(number >> 8) | 0x80, UInt8(truncatingIfNeeded: number),
      UInt8(truncatingIfNeeded: number), 0,
    ] as [UInt8] { output.append(byte) }
    let start: [UInt8] = isKey ? [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 2, 0x68, 1] : [0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    for byte in start { output.append(byte) }
    for _ in 16..<Self.payloadByteCount { output.append(0x5A) }
    let length = output.finalize(for: region)
    return (try? publisher.protectRTP(region, length: length)) ?? 0
  }
}
