import CongestionControl
import ICEAgent
public import MediaBase
import RTPWire
import SecureChannel

extension ForwardingCore {
  /// Takes a datagram that came from `source`; its bytes are decrypted in place. What there is to send because of it
  /// comes out of the next `drain`.
  public mutating func receive(
    datagram: UnsafeMutableRawBufferPointer, from source: TransportAddress, now: MediaInstant
  ) {
    statistics.receivedDatagrams &+= 1
    let readable = UnsafeRawBufferPointer(datagram)
    switch DatagramKind.classify(readable.bytes) {
    case .stun: receiveSTUN(readable, from: source, now: now)
    case .rtp:
      guard let peer = peersByAddress.find(source) else { return count(.unknown) }
      receiveRTP(datagram, from: peer, at: source, now: now)
    case .rtcp:
      guard let peer = peersByAddress.find(source) else { return count(.unknown) }
      guard let length = try? peers[peer].receiver?.unprotectRTCP(datagram, length: datagram.count) else {
        return count(.unauthenticated)
      }
      peers[peer].heardMedia(from: source, now: now)
      receiveRTCP(UnsafeRawBufferPointer(rebasing: datagram[..<length]), from: peer, now: now)
    case .dtls:
      guard let peer = peersByAddress.find(source), peers[peer].dtls != nil else {
        if dtls != nil, source.transport == .udp { earlyHandshakes.keep(readable, from: source, now: now) }
        return count(.unknown)
      }
      receiveHandshake(readable, from: source, for: peer, now: now)
    case .unknown: count(.unknown)
    }
  }

  private enum DropReason { case unknown, unauthenticated, duplicate, invalid, unpublished }

  private mutating func count(_ reason: DropReason) {
    switch reason {
    case .unknown: statistics.droppedUnknown &+= 1
    case .unauthenticated: statistics.droppedUnauthenticated &+= 1
    case .duplicate: statistics.droppedDuplicate &+= 1
    case .invalid: statistics.droppedInvalid &+= 1
    case .unpublished: statistics.droppedUnpublished &+= 1
    }
  }

  private mutating func receiveSTUN(
    _ datagram: UnsafeRawBufferPointer, from source: TransportAddress, now: MediaInstant
  ) {
    let bytes = datagram.bytes
    let owner = peersByAddress.find(source)
    if let owner, receiveCheck(bytes, from: source, for: owner, now: now) { return }
    // A first check, or an address that has changed hands: the user name tells for whom it is. Whoever is not known by it
    // has cost no more than a look into two tables.
    guard let name = ICEAgent.receiverUsernameFragment(of: bytes), let peer = peersByUsernameFragment[name] else {
      return count(.unknown)
    }
    if peer == owner || !receiveCheck(bytes, from: source, for: peer, now: now) { count(.unauthenticated) }
  }

  /// Whether the connectivity check was authentic and for this peer.
  private mutating func receiveCheck(
    _ bytes: RawSpan, from source: TransportAddress, for peer: Int32, now: MediaInstant
  ) -> Bool {
    guard !peers[peer].isLost else { return false }
    noteMediaSource(of: peer, now: now)
    let outcome = peers[peer].ice.receive(bytes, from: source, now: now)
    if outcome == .alive, peers[peer].hasHeardMedia {
      // Some publishers only indicate that they are there. Nobody could say it for them: media of theirs has come too.
      peers[peer].hasHeardMedia = false
      peers[peer].ice.refreshConsent(from: source, now: now)
    }
    if outcome == .alive { return true }
    guard outcome == .accepted || outcome == .ignored else { return false }
    peers[peer].hasAnswers = true
    enqueue(peer)
    guard outcome == .accepted else { return true }
    noteLife(of: peer, now: now)
    admit(source, for: peer)
    takeConnectivityEvents(of: peer, now: now)
    if !earlyHandshakes.isEmpty, peers[peer].dtls != nil { receiveEarlyHandshake(from: source, for: peer, now: now) }
    return true
  }

  /// Addresses that one peer may use at once.
  private static var maximumAddresses: Int { 8 }

  /// Takes media from `source` as `peer`'s from now on.
  private mutating func admit(_ source: TransportAddress, for peer: Int32) {
    if let owner = peersByAddress.find(source) {
      guard owner != peer else { return }
      // The address has changed hands (a NAT binding that ran out).
      peers[owner].addresses.removeAll { $0 == source }
    }
    peersByAddress.insert(source, peer)
    knownSenderAdditions &+= 1
    peers[peer].addresses.append(source)
    guard peers[peer].addresses.count > Self.maximumAddresses else { return }
    let selected = peers[peer].ice.selectedRemoteAddress
    guard let position = peers[peer].addresses.firstIndex(where: { $0 != selected }) else { return }
    peersByAddress.remove(peers[peer].addresses.remove(at: position))
  }

  private mutating func receiveRTP(
    _ datagram: UnsafeMutableRawBufferPointer, from peer: Int32, at source: TransportAddress, now: MediaInstant
  ) {
    guard datagram.count >= RTPHeader.byteCount else { return count(.invalid) }
    let ssrc = UInt32(bigEndian: datagram.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let known = peers[peer].track(ssrc: ssrc)
    guard known != nil || peers[peer].isLearning else { return count(.invalid) }
    let length: Int
    do {
      guard let count = try peers[peer].receiver?.unprotectRTP(datagram, length: datagram.count) else {
        return self.count(.unauthenticated)
      }
      length = count
      peers[peer].hasHeardMedia = true
      peers[peer].heardMedia(from: source, now: now)
    } catch {
      return count(error == .replayed ? .duplicate : .unauthenticated)
    }
    let packet = UnsafeRawBufferPointer(rebasing: datagram[..<length])
    let bytes = packet.bytes
    guard let layout = try? RTPPacketLayout(parsing: bytes),
      let track = known ?? learn(layout, in: bytes, of: peer, now: now)
    else { return count(.invalid) }
    if peers[peer].format.wantsTransportFeedback { recordArrival(layout, in: bytes, from: peer, now: now) }
    if peers[peer].format.wantsReceiverEstimate { recordSendTime(layout, in: bytes, from: peer, now: now) }
    guard streams[track.stream].isPublished else { return count(.unpublished) }
    let payload = bytes.extracting(layout.payloadRange)
    let reception: IngressStream.Reception?
    if track.isRetransmission {
      reception = receiveRetransmission(
        layout.header, payload: payload, stream: track.stream, peer: peer, now: now)
    } else {
      let level = layout.headerExtension(id: peers[peer].format.audioLevelExtensionID, in: bytes).map {
        bytes.uint8(at: $0.lowerBound)
      }
      reception = receiveOriginal(
        layout.header, payload: payload, level: level, stream: track.stream, peers[peer].format, now: now)
      if peers[peer].format.mayHaveExtras, reception == .kept || reception == .recovered {
        streams[track.stream].attach(PacketExtras(layout, in: bytes, peers[peer].format))
      }
    }
    note(reception, of: track.stream, byteCount: payload.byteCount, now: now)
  }

  private mutating func recordArrival(
    _ layout: RTPPacketLayout, in bytes: RawSpan, from peer: Int32, now: MediaInstant
  ) {
    let id = peers[peer].format.transportSequenceExtensionID
    guard let range = layout.headerExtension(id: id, in: bytes), range.count >= 2 else { return }
    let isFirst = peers[peer].arrivals.deadline(interval: configuration.transportFeedbackInterval) == nil
    peers[peer].arrivals.arrived(bytes.uint16(at: range.lowerBound), now: now)
    if isFirst { schedule(peer, now: now) }
    if peers[peer].arrivals.isDue(now: now, interval: configuration.transportFeedbackInterval) { enqueueControl(peer) }
  }

  private mutating func recordSendTime(
    _ layout: RTPPacketLayout, in bytes: RawSpan, from peer: Int32, now: MediaInstant
  ) {
    guard let range = layout.headerExtension(id: peers[peer].format.extensions.sendTimeID, in: bytes), range.count == 3
    else { return }
    let rate = peers[peer].takeIncomingRate()
    rate.pointee.arrived(
      sendTime: bytes.uint24(at: range.lowerBound), byteCount: bytes.byteCount + Downlink.pathOverhead, now: now)
    if rate.pointee.isDue(now: now) { enqueueControl(peer) }
  }

  private mutating func learn(
    _ layout: RTPPacketLayout, in bytes: RawSpan, of peer: Int32, now: MediaInstant
  ) -> (stream: Int32, isRetransmission: Bool)? {
    guard let track = peers[peer].learn(layout, in: bytes) else { return nil }
    if !track.isRetransmission {
      let isAnother = streams[track.stream].ssrc != 0
      streams[track.stream].adopt(ssrc: layout.header.ssrc)
      // Who gets it sees its numbers go on from the next key frame.
      if isAnother { restartForwarding(of: track.stream, now: now) }
    }
    return track
  }

  private mutating func receiveOriginal(
    _ header: RTPHeader, payload: RawSpan, level: UInt8?, stream: Int32, _ format: ForwardedFormat,
    now: MediaInstant
  ) -> IngressStream.Reception? {
    let isAudio = streams[stream].kind == .audio
    // 0xFF would be "speech at -127 dBov", which is silence: it stands for "no level" here.
    let audioLevel = isAudio ? level ?? PacketRecord.noLevel : PacketRecord.noLevel
    switch header.payloadType {
    case let type where type == (isAudio ? format.opusPayloadType : format.vp8PayloadType):
      return streams[stream].receive(header, payload: payload, audioLevel: audioLevel, now: now, configuration)
    case let type where isAudio && type == format.redPayloadType:
      return streams[stream].receiveRedundant(
        header, payload: payload, opusPayloadType: format.opusPayloadType, audioLevel: audioLevel, now: now,
        configuration)
    default: return nil
    }
  }

  private mutating func receiveRetransmission(
    _ header: RTPHeader, payload: RawSpan, stream: Int32, peer: Int32, now: MediaInstant
  ) -> IngressStream.Reception? {
    guard header.payloadType == peers[peer].format.rtxPayloadType else { return nil }
    // Less than a sequence number and a byte is padding, sent to probe the path.
    guard payload.byteCount > 2 else { return .duplicate }
    return streams[stream].receiveRetransmission(
      header, originalSequenceNumber: payload.uint16(at: 0), payload: payload.extracting(2..<payload.byteCount),
      now: now)
  }

  /// Counts a packet and, if it was kept, sees to it that it is forwarded.
  private mutating func note(
    _ reception: IngressStream.Reception?, of stream: Int32, byteCount: Int, now: MediaInstant
  ) {
    switch reception {
    case .kept, .recovered:
      statistics.receivedPackets &+= 1
      statistics.receivedPayloadBytes &+= UInt64(byteCount)
      if reception == .recovered { statistics.recoveredPackets &+= 1 }
      guard streams[stream].kind == .video || hear(stream, now: now) else { return }
      if !streams[stream].isDirty {
        streams[stream].isDirty = true
        streams[stream].dirtySince = now
        dirtyStreams.append(stream)
      }
      if streams[stream].needsReview {
        streams[stream].needsReview = false
        reviewLayers(of: streams[stream].publisher, now: now)
      }
      watch(stream)
    case .duplicate: count(.duplicate)
    case .unusable, nil: count(.invalid)
    }
  }
}
