import MediaBase
import Testing

@testable import SecureChannel

@Suite("SRTP: what is not the other side's is refused and leaves no trace")
struct SRTPHostilityTests {
  @Test(arguments: SRTPProtectionProfile.allCases)
  func anyFlippedBitIsRefusedAndLeavesNoStream(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    let plain = longHeader(sequenceNumber: 5) + [1, 2, 3]
    let rtp = try edited(plain) { try sender.protectRTP($0, length: $1) }
    let rtcp = try edited(rtcpPacket) { try sender.protectRTCP($0, length: $1) }
    for bit in 0..<rtp.count * 8 {
      var changed = rtp
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: SRTPError.self) { try edited(changed) { try receiver.unprotectRTP($0, length: $1) } }
    }
    for bit in 0..<rtcp.count * 8 {
      var changed = rtcp
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: SRTPError.self) { try edited(changed) { try receiver.unprotectRTCP($0, length: $1) } }
    }
    #expect(receiver.streamCount == 0)
    #expect(try edited(rtp) { try receiver.unprotectRTP($0, length: $1) } == plain)
    #expect(receiver.streamCount == 1)
    #expect(try edited(rtcp) { try receiver.unprotectRTCP($0, length: $1) } == rtcpPacket)
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func unencryptedRTCPIsRefused(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    var sealed = try edited(rtcpPacket) { try sender.protectRTCP($0, length: $1) }
    let place = rtcpPacket.count + profile.rtcpIndexOffset
    #expect(Array(sealed[place..<place + 4]) == [0x80, 0, 0, 0])
    sealed[place] = 0
    #expect(throws: SRTPError.unencrypted) { try edited(sealed) { try receiver.unprotectRTCP($0, length: $1) } }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func packetsOfTheOtherProfileOrKeyAreRefused(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    let rtp = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    let rtcp = try edited(rtcpPacket) { try sender.protectRTCP($0, length: $1) }
    for other in SRTPProtectionProfile.allCases {
      let key = (0..<UInt8(other.keyMaterialByteCount)).map { $0 + (other == profile ? 1 : 0) }
      let material = try #require(SRTPKeyMaterial(profile: other, bytes: key))
      var receiver = try SRTPReceiver(material: material, crypto: crypto)
      #expect(throws: SRTPError.self) { try edited(rtp) { try receiver.unprotectRTP($0, length: $1) } }
      #expect(throws: SRTPError.self) { try edited(rtcp) { try receiver.unprotectRTCP($0, length: $1) } }
    }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func truncatedPacketsAreRefusedAtEveryLength(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    let rtp = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    let rtcp = try edited(rtcpPacket) { try sender.protectRTCP($0, length: $1) }
    for count in 0..<rtp.count {
      #expect(throws: SRTPError.self) {
        try edited(Array(rtp.prefix(count)), room: 0) { try receiver.unprotectRTP($0, length: $1) }
      }
    }
    for count in 0..<rtcp.count {
      #expect(throws: SRTPError.self) {
        try edited(Array(rtcp.prefix(count)), room: 0) { try receiver.unprotectRTCP($0, length: $1) }
      }
    }
    let longExtension: [UInt8] = [0x90, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 0xBE, 0xDE, 0xFF, 0xFF, 0, 0, 0, 0]
    #expect(throws: SRTPError.malformed) {
      try edited(longExtension) { try receiver.unprotectRTP($0, length: $1) }
    }
    #expect(throws: SRTPError.malformed) {
      try edited(rtp, room: 0) { try receiver.unprotectRTP($0, length: $1 + 1) }
    }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func randomBytesAreRefused(profile: SRTPProtectionProfile) throws {
    var receiver = try makeReceiver(profile)
    var sender = try makeSender(profile)
    var random = SeededRandom(seed: 3)
    for _ in 0..<20_000 {
      var packet = (0..<Int(random.next() % 80)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Most are of version 2, so that they get further.
      if !packet.isEmpty, random.next() % 4 > 0 { packet[0] = packet[0] & 0x3F | 0x80 }
      #expect(throws: SRTPError.self) {
        try edited(packet, room: 0) { try receiver.unprotectRTP($0, length: $1) }
      }
      #expect(throws: SRTPError.self) {
        try edited(packet, room: 0) { try receiver.unprotectRTCP($0, length: $1) }
      }
      _ = try? edited(packet, room: Int(random.next() % 24)) { try sender.protectRTP($0, length: $1) }
      _ = try? edited(packet, room: Int(random.next() % 24)) { try sender.protectRTCP($0, length: $1) }
    }
    #expect(receiver.streamCount == 0)
  }
}
