import CForwardingFloor
import Glibc
import ICEAgent
import LinuxIO
import MediaBase
import RTPWire
import SecureChannel
import Synchronization

extension MediaClient {
  /// Takes a run of datagrams of equal length; the last may be shorter.
  func receive(_ run: gro_run, now: MediaInstant) {
    let bytes = UnsafeMutableRawBufferPointer(start: run.bytes, count: Int(run.length))
    switch DatagramKind.classify(UnsafeRawBufferPointer(bytes).bytes) {
    case .rtp: receiveRTP(run, bytes, now: now)
    case .rtcp: receiveRTCP(bytes, now: now)
    case .stun:
      let source = TransportAddress(ipv4: run.source_address, port: run.source_port)
      _ = ice?.receive(UnsafeRawBufferPointer(bytes).bytes, from: source, now: now)
      while let event = ice?.pollEvent() {
        if case .connected(let address) = event { hasPath(to: address, now: now) }
      }
      transmit(now: now)
    case .dtls:
      var offset = 0
      while offset < bytes.count {
        let end = min(offset + Int(run.segment), bytes.count)
        dtls?.receive(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]), now: now)
        offset = end
      }
      takeHandshakeState()
      transmit(now: now)
    case .unknown: break
    }
  }

  private func hasPath(to address: TransportAddress, now: MediaInstant) {
    remote = address
    switch path?.security {
    case .dtls(let fingerprint)?:
      guard dtls == nil else { return }
      dtls = Self.identity?.makeEndpoint(isClient: true, remoteFingerprint: fingerprint, now: now)
    default: isConnected.store(true, ordering: .releasing)
    }
  }

  func takeHandshakeState() {
    switch dtls?.state {
    case .established(let keys)? where sender == nil:
      guard let outgoing = SRTPKeyMaterial(profile: keys.profile, bytes: keys.client),
        let incoming = SRTPKeyMaterial(profile: keys.profile, bytes: keys.server)
      else { return }
      setKeys(outgoing: outgoing, incoming: incoming)
      isConnected.store(true, ordering: .releasing)
    case .failed?: hasFailed.store(true, ordering: .relaxed)
    default: break
    }
  }

  private func receiveRTP(_ run: gro_run, _ bytes: UnsafeMutableRawBufferPointer, now: MediaInstant) {
    let segment = Int(run.segment)
    count(packets: (bytes.count + segment - 1) / segment, bytes: bytes.count)
    guard isSampling else {
      // Reports need no more than the newest number of each stream; headers are not encrypted.
      let last = (bytes.count - 1) / segment * segment
      return note(UnsafeRawBufferPointer(rebasing: bytes[last...]))
    }
    var offset = 0
    while offset < bytes.count {
      let end = min(offset + segment, bytes.count)
      sample(UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<end]), stamp: run.stamp, now: now)
      offset = end
    }
  }

  private func note(_ packet: UnsafeRawBufferPointer) {
    guard packet.count >= 12 else { return }
    let ssrc = UInt32(bigEndian: packet.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let number = UInt16(bigEndian: packet.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    let before = highest[ssrc]
    let index = unwrappers[ssrc, default: SequenceUnwrapper()].unwrap(number)
    if isSampling, let before {
      if index > before + 1 { missing.add(Int(index - before - 1), ordering: .relaxed) }
      if index < before { missing.subtract(1, ordering: .relaxed) }
    }
    highest[ssrc] = max(before ?? index, index)
  }

  /// Decrypts a packet and reads when it was sent.
  private func sample(_ packet: UnsafeMutableRawBufferPointer, stamp: Int64, now: MediaInstant) {
    guard let length = try? receiver?.unprotectRTP(packet, length: packet.count) else { return }
    let plain = UnsafeRawBufferPointer(rebasing: packet[..<length])
    guard let layout = try? RTPPacketLayout(parsing: plain.bytes),
      layout.header.payloadType != MediaPath.rtx, layout.payloadRange.count >= Publisher.stampOffset + 8
    else { return }
    note(plain)
    if let id = path?.transportExtension, id != 0,
      let range = layout.headerExtension(id: id, in: plain.bytes), range.count >= 2, arrivals.count < 4_096
    {
      arrivals.append((plain.bytes.uint16(at: range.lowerBound), now))
    }
    let sent = Int64(
      bigEndian: plain.loadUnaligned(
        fromByteOffset: layout.payloadRange.lowerBound + Publisher.stampOffset, as: Int64.self))
    if stamp > 0 { latencies.withLock { if $0.count < 1 << 20 { $0.append(stamp - sent) } } }
  }

  private func receiveRTCP(_ packet: UnsafeMutableRawBufferPointer, now: MediaInstant) {
    guard let length = try? receiver?.unprotectRTCP(packet, length: packet.count) else { return }
    let plain = UnsafeRawBufferPointer(rebasing: packet[..<length])
    let bytes = plain.bytes
    var offset = 0
    while offset < bytes.byteCount, let layout = try? RTCPPacketLayout(parsing: bytes, at: offset) {
      offset = layout.range.upperBound
      switch (layout.packetType, layout.count) {
      case (RTCPPacketLayout.PacketType.payloadFeedback, 1), (RTCPPacketLayout.PacketType.payloadFeedback, 4):
        keyFrameRequests.add(1, ordering: .relaxed)
      case (RTCPPacketLayout.PacketType.transportFeedback, 1):
        asked.withLock { asked in
          RTCPFeedback.forEachLostSequenceNumber(in: bytes, at: layout) { if asked.count < 256 { asked.append($0) } }
        }
      default: break
      }
    }
  }
}
