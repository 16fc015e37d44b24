import Testing

@testable import SecureChannel

@Suite("SRTP: what both profiles promise")
struct SRTPProtectionTests {
  @Test(arguments: SRTPProtectionProfile.allCases)
  func derivedKeysDifferByLabel(profile: SRTPProtectionProfile) throws {
    let keys = try SRTPSessionKeys(deriving: material(profile), crypto: crypto)
    #expect(keys.rtp.cipherKey.count == 16 && keys.rtp.salt.count == profile.saltByteCount)
    #expect(keys.rtp.authenticationKey.count == (profile == .aes128CounterSHA1_80 ? 20 : 0))
    let derived = [keys.rtp, keys.rtcp].flatMap { [$0.cipherKey, $0.authenticationKey, $0.salt] }.filter { $0 != [] }
    #expect(Set(derived.map { $0.prefix(12) }).count == derived.count)
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func headerWithContributorsAndExtensionStaysReadable(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    let overhead = sender.rtpOverhead
    #expect(overhead == (profile == .aes128CounterSHA1_80 ? 10 : 16) && overhead <= SRTPSender.maximumRTPOverhead)
    for (number, count) in [0, 1, 3, 15, 16, 17, 1_200, 60_000].enumerated() {
      let header = longHeader(sequenceNumber: UInt16(number))
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let sealed = try edited(header + payload) { try sender.protectRTP($0, length: $1) }
      #expect(Array(sealed.prefix(header.count)) == header)
      #expect(sealed.count == header.count + count + overhead)
      #expect(count < 3 || Array(sealed[header.count...].prefix(count)) != payload)
      #expect(try edited(sealed, room: 0) { try receiver.unprotectRTP($0, length: $1) } == header + payload)
    }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func rtcpComesBack(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    let overhead = sender.rtcpOverhead
    #expect(overhead == (profile == .aes128CounterSHA1_80 ? 14 : 20) && overhead <= SRTPSender.maximumRTCPOverhead)
    for length in [8, 12, 100, 1_180] {
      let header = Array(rtcpPacket.prefix(8))
      let plain = header + [UInt8](repeating: 5, count: length - 8)
      let sealed = try edited(plain) { try sender.protectRTCP($0, length: $1) }
      #expect(sealed.count == length + overhead && Array(sealed.prefix(8)) == header)
      #expect(length == 8 || Array(sealed.prefix(length)) != plain)
      #expect(try edited(sealed, room: 0) { try receiver.unprotectRTCP($0, length: $1) } == plain)
    }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func sealingFromAnotherBufferGivesTheSamePacketAsInPlace(profile: SRTPProtectionProfile) throws {
    var inPlace = try makeSender(profile)
    var apart = try makeSender(profile)
    let packet = rtpPacket(sequenceNumber: 7)
    let expected = try edited(packet) { try inPlace.protectRTP($0, length: $1) }
    let payload = Array(packet[12...])
    let sealed = try edited(Array(packet.prefix(12)), room: 64) { buffer, length in
      try payload.withUnsafeBytes { try apart.protectRTP(headerIn: buffer, headerLength: length, payload: $0) }
    }
    #expect(sealed == expected)
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func rolloverCounterFollowsTheSequenceNumberWithReordering(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    var sealed: [[UInt8]] = []
    let numbers: [UInt16] = [65534, 65535, 0, 1, 30000, 60000, 20000, 40000, 0]
    for number in numbers {
      sealed.append(try edited(rtpPacket(sequenceNumber: number)) { try sender.protectRTP($0, length: $1) })
    }
    for position in [0, 2, 1, 3, 4, 5, 6, 7, 8] {
      let opened = try edited(sealed[position]) { try receiver.unprotectRTP($0, length: $1) }
      #expect(opened == rtpPacket(sequenceNumber: numbers[position]))
    }
    #expect(sealed[2] != sealed[8])
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func anotherRolloverIsRefused(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    for number in [UInt16(0), 30_000, 60_000] {
      _ = try edited(rtpPacket(sequenceNumber: number)) { try sender.protectRTP($0, length: $1) }
    }
    // A receiver that comes now takes the counter to be zero, and must not be led astray by the number alone.
    let second = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    #expect(throws: SRTPError.authenticationFailed) { try edited(second) { try receiver.unprotectRTP($0, length: $1) } }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func replayedPacketsAreRefused(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    var receiver = try makeReceiver(profile)
    let rtp = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    let rtcp = try edited(rtcpPacket) { try sender.protectRTCP($0, length: $1) }
    _ = try edited(rtp) { try receiver.unprotectRTP($0, length: $1) }
    _ = try edited(rtcp) { try receiver.unprotectRTCP($0, length: $1) }
    #expect(throws: SRTPError.replayed) { try edited(rtp) { try receiver.unprotectRTP($0, length: $1) } }
    #expect(throws: SRTPError.replayed) { try edited(rtcp) { try receiver.unprotectRTCP($0, length: $1) } }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func senderNeverSealsOneIndexTwice(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    _ = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    #expect(throws: SRTPError.sequenceNumberReused) {
      try edited(rtpPacket(sequenceNumber: 5, payload: [9])) { try sender.protectRTP($0, length: $1) }
    }
    let keys = try SRTPSessionKeys(deriving: material(profile), crypto: crypto)
    var last = try SRTPSender(sessionKeys: keys, crypto: crypto, nextRTCPIndex: 0x7FFF_FFFF)
    _ = try edited(rtcpPacket) { try last.protectRTCP($0, length: $1) }
    #expect(throws: SRTPError.keyExhausted) { try edited(rtcpPacket) { try last.protectRTCP($0, length: $1) } }
  }

  @Test(arguments: SRTPProtectionProfile.allCases)
  func noRoomForTheTagIsRefused(profile: SRTPProtectionProfile) throws {
    var sender = try makeSender(profile)
    let (rtpOverhead, rtcpOverhead) = (sender.rtpOverhead, sender.rtcpOverhead)
    #expect(throws: SRTPError.noRoom) {
      try edited(rtpPacket(sequenceNumber: 1), room: rtpOverhead - 1) { try sender.protectRTP($0, length: $1) }
    }
    #expect(throws: SRTPError.noRoom) {
      try edited(rtcpPacket, room: rtcpOverhead - 1) { try sender.protectRTCP($0, length: $1) }
    }
    _ = try edited(rtpPacket(sequenceNumber: 1), room: rtpOverhead) { try sender.protectRTP($0, length: $1) }
    _ = try edited(rtcpPacket, room: rtcpOverhead) { try sender.protectRTCP($0, length: $1) }
  }
}
