import ForwardingCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import OpenSSLDTLS
import RTPWire
import SecureChannel

/// A client as a browser is one: ICE checks, a real DTLS handshake, SRTP with the keys of it, SSRCs that nobody was told.
final class HandshakePeer {
  let id: UInt64
  var address: TransportAddress
  private let room: TestRoom
  private let checks: TestChecks
  let endpoint: any DTLSEndpoint
  private var sender: SRTPSender?
  private var receiver: SRTPReceiver?
  private var sequenceNumbers: [UInt32: UInt16] = [:]
  /// Whether it takes part in the handshake.
  var shakesHands = true
  /// Sizes of what came, by kind.
  private(set) var handshakeSizes: [Int] = []
  private(set) var mediaCount = 0
  private(set) var controlCount = 0

  /// - Parameters:
  ///   - announced: the fingerprint that the room is told; its own if `nil`.
  ///   - asksFromElsewhere: whether the server does not know from its request that it is where it is.
  ///   - mediaNames: what its packets may say of their medium, sound and video.
  init?(
    _ id: UInt64, in room: TestRoom, server: OpenSSLDTLS, announced: [UInt8]? = nil,
    mediaNames: (audio: String, video: String)? = nil, asksFromElsewhere: Bool = true
  ) {
    guard let identity = OpenSSLDTLS(),
      let endpoint = identity.makeEndpoint(isClient: true, remoteFingerprint: server.fingerprint, now: room.now)
    else { return nil }
    self.id = id
    self.room = room
    self.endpoint = endpoint
    address = TransportAddress(ipv4: 0x0C00_0000 + UInt32(id), port: 9_000)
    checks = TestChecks(credentials("client\(id)"), to: credentials("server\(id)"), seed: id, now: room.now)
    var peer = description(id)
    peer.security = .dtls(remoteFingerprint: announced ?? identity.fingerprint)
    peer.ssrcs = ForwardedSSRCs(audio: 0, video: 0, videoRTX: 0)
    if !asksFromElsewhere { peer.provedHost = TransportAddress(ipv4: 0x0C00_0000 + UInt32(id), port: 0) }
    if let mediaNames {
      peer.format.mediaIDExtensionID = Self.mediaIDExtensionID
      (peer.audioMediaID, peer.videoMediaID) = (Array(mediaNames.audio.utf8), Array(mediaNames.video.utf8))
    }
    guard room.core.addPeer(peer, now: room.now) else { return nil }
    room.core.setPublished(client: id, tracks: bothForwarded, now: room.now)
    let previous = room.onDatagram
    room.onDatagram = { [weak self] datagram, destination in
      previous?(datagram, destination)
      guard let self, destination == address else { return }
      receive(datagram)
    }
  }

  private func receive(_ datagram: [UInt8]) {
    switch DatagramKind.classify(datagram.span.bytes) {
    case .stun: checks.receive(datagram, now: room.now)
    case .dtls:
      handshakeSizes.append(datagram.count)
      guard shakesHands else { return }
      datagram.withUnsafeBytes { endpoint.receive($0, now: room.now) }
      takeKeys()
    case .rtp: if opens(datagram, isControl: false) { mediaCount += 1 }
    case .rtcp: if opens(datagram, isControl: true) { controlCount += 1 }
    case .unknown: break
    }
  }

  private func opens(_ datagram: [UInt8], isControl: Bool) -> Bool {
    var copy = datagram
    return copy.withUnsafeMutableBytes { bytes in
      let length =
        isControl
        ? try? receiver?.unprotectRTCP(bytes, length: bytes.count)
        : try? receiver?.unprotectRTP(bytes, length: bytes.count)
      return length != nil
    }
  }

  private func takeKeys() {
    guard sender == nil, case .established(let keys) = endpoint.state,
      let outgoing = SRTPKeyMaterial(profile: keys.profile, bytes: keys.client),
      let incoming = SRTPKeyMaterial(profile: keys.profile, bytes: keys.server)
    else { return }
    sender = try? SRTPSender(material: outgoing, crypto: OpenSSLCrypto.provider)
    receiver = try? SRTPReceiver(material: incoming, crypto: OpenSSLCrypto.provider)
  }

  /// Sends the check that is due, if one is; whether there was one.
  @discardableResult func check() -> Bool {
    let datagram = checks.next(now: room.now)
    if !datagram.isEmpty { room.inject(datagram, from: address) }
    return !datagram.isEmpty
  }

  /// Sends what the handshake has to send, again if it is time.
  func shakeHands() {
    endpoint.handleTimeout(now: room.now)
    while let datagram = endpoint.pollTransmit() { room.inject(datagram, from: address) }
  }

  /// Everything that happens in this time.
  func run(milliseconds: Int) {
    for _ in 0..<milliseconds {
      check()
      if shakesHands { shakeHands() }
      room.run(milliseconds: 1)
    }
  }

  /// Sends an RTP packet; nothing without keys.
  func send(ssrc: UInt32, payloadType: UInt8, payload: [UInt8], marker: Bool = true, medium: String? = nil) {
    let number = sequenceNumbers[ssrc, default: 500]
    sequenceNumbers[ssrc] = number &+ 1
    let header = RTPHeader(
      marker: marker, payloadType: payloadType, sequenceNumber: number, timestamp: UInt32(number) &* 3_000, ssrc: ssrc)
    var buffer = [UInt8](repeating: 0, count: 1_500)
    let plain = written { output in
      _ = header.write(into: &output, hasExtension: medium != nil)
      for byte in medium.map(Self.mediaIDExtension) ?? [] { output.append(byte) }
      for byte in payload { output.append(byte) }
    }
    buffer.replaceSubrange(0..<plain.count, with: plain)
    let length = buffer.withUnsafeMutableBytes { (try? sender?.protectRTP($0, length: plain.count)) ?? 0 }
    if length > 0 { room.inject(Array(buffer[..<length]), from: address) }
  }

  private static let mediaIDExtensionID: UInt8 = 9

  /// A block of header extensions in the one-byte form (RFC 8285 section 4.2) with a name of a medium.
  private static func mediaIDExtension(_ name: String) -> [UInt8] {
    var element = [mediaIDExtensionID << 4 | UInt8(name.utf8.count - 1)] + Array(name.utf8)
    while element.count % 4 != 0 { element.append(0) }
    return [0xBE, 0xDE, 0, UInt8(element.count / 4)] + element
  }

  /// Sends a picture in one packet.
  func sendPicture(ssrc: UInt32, isKey: Bool, medium: String? = nil) {
    let number = sequenceNumbers[ssrc, default: 500]
    let descriptor = VP8PayloadDescriptor(
      startsPartition: true, pictureID: number, tl0PicIdx: UInt8(truncatingIfNeeded: number), temporalID: 0)
    let frame: [UInt8] = isKey ? [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xB4, 0x00] : [0x11, 0, 0]
    send(
      ssrc: ssrc, payloadType: 96, payload: written { _ = descriptor.write(into: &$0) } + frame, medium: medium)
  }
}
