import OpenSSLCrypto
import Testing

@testable import SecureChannel

private func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.filter { $0 != " " }.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Runs `body` on a copy of `packet` with `room` bytes behind it; returns the bytes it says the packet has now.
private func edited(
  _ packet: [UInt8], room: Int = 32, _ body: (UnsafeMutableRawBufferPointer, Int) throws -> Int
) throws -> [UInt8] {
  var buffer = packet + [UInt8](repeating: 0xEE, count: room)
  let count = try buffer.withUnsafeMutableBytes { try body($0, packet.count) }
  return Array(buffer.prefix(count))
}

private func rtpPacket(sequenceNumber: UInt16, ssrc: UInt8 = 9, payload: [UInt8] = [1, 2, 3, 4, 5]) -> [UInt8] {
  [0x80, 96, UInt8(sequenceNumber >> 8), UInt8(sequenceNumber & 255), 0, 0, 0, 1, 0, 0, 0, ssrc] + payload
}

private let crypto = OpenSSLCrypto.provider

@Suite struct SecureChannelTests {
  private let material: SRTPKeyMaterial
  private let vectorKeys: SRTPSessionKeys

  init() throws {
    material = try #require(SRTPKeyMaterial(bytes: (0..<28).map { UInt8($0) }))
    let key = bytes("000102030405060708090a0b0c0d0e0f")
    let salt = bytes("517569642070726f2071756f")
    vectorKeys = SRTPSessionKeys(rtpKey: key, rtpSalt: salt, rtcpKey: key, rtcpSalt: salt)
  }

  @Test func rtpMatchesTheVectorOfRFC7714Section16() throws {
    let plain = bytes(
      "8040f17b 8041f8d3 5501a0b2 47616c6c 69612065 7374206f 6d6e6973 20646976 69736120 696e2070 61727465 73207472 6573"
    )
    let sealed = bytes(
      """
      8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a 51c7d19b 36de3adf \
      8833899d 7f27beb1 6a9152cf 765ee439 0cce
      """)
    var sender = try SRTPSender(sessionKeys: vectorKeys, crypto: crypto)
    var receiver = try SRTPReceiver(sessionKeys: vectorKeys, crypto: crypto)
    #expect(try edited(plain) { try sender.protectRTP($0, length: $1) } == sealed)
    #expect(try edited(sealed) { try receiver.unprotectRTP($0, length: $1) } == plain)
  }

  @Test func rtcpMatchesTheVectorOfRFC7714Section17() throws {
    let plain = bytes(
      """
      81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef \
      deadbeef
      """)
    let sealed = bytes(
      """
      81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda 4ce09b46 86303ded \
      0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade 800005d4
      """)
    var sender = try SRTPSender(sessionKeys: vectorKeys, crypto: crypto, nextRTCPIndex: 0x5d4)
    var receiver = try SRTPReceiver(sessionKeys: vectorKeys, crypto: crypto)
    #expect(try edited(plain) { try sender.protectRTCP($0, length: $1) } == sealed)
    #expect(try edited(sealed) { try receiver.unprotectRTCP($0, length: $1) } == plain)
  }

  @Test func blockCipherMatchesTheKeyDerivationVectorOfRFC3711AppendixB3() throws {
    // The vector's salt has 14 bytes where this profile's has 12, so the block is made by hand.
    var result = [UInt8](repeating: 0, count: 16)
    let done = crypto.encryptBlock(
      bytes("E1F97A0D3E018BE0D64FA32C06DE4139"), bytes("0EC675AD498AFEEBB6960B3AABE60000"), &result)
    #expect(done)
    #expect(result == bytes("C61E7A93744F39EE10734AFE3FF7A087"))
  }

  @Test func derivedKeysDifferByLabel() throws {
    let keys = try SRTPSessionKeys(deriving: material, crypto: crypto)
    #expect(keys.rtpKey != keys.rtcpKey)
    #expect(keys.rtpSalt != keys.rtcpSalt)
    #expect(keys.rtpKey.count == 16 && keys.rtpSalt.count == 12)
  }

  @Test func headerWithContributorsAndExtensionStaysReadable() throws {
    let header: [UInt8] =
      [0x92, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9] + [0, 0, 0, 1, 0, 0, 0, 2] + [0xBE, 0xDE, 0, 1, 0x10, 7, 0, 0]
    var sender = try SRTPSender(material: material, crypto: crypto)
    var receiver = try SRTPReceiver(material: material, crypto: crypto)
    let sealed = try edited(header + [1, 2, 3]) { try sender.protectRTP($0, length: $1) }
    #expect(Array(sealed.prefix(header.count)) == header)
    #expect(sealed.count == header.count + 3 + SRTPSender.rtpOverhead)
    #expect(try edited(sealed) { try receiver.unprotectRTP($0, length: $1) } == header + [1, 2, 3])
  }

  @Test func sealingFromAnotherBufferGivesTheSamePacketAsInPlace() throws {
    var inPlace = try SRTPSender(material: material, crypto: crypto)
    var apart = try SRTPSender(material: material, crypto: crypto)
    let packet = rtpPacket(sequenceNumber: 7)
    let expected = try edited(packet) { try inPlace.protectRTP($0, length: $1) }
    let payload = Array(packet[12...])
    let sealed = try edited(Array(packet.prefix(12)), room: 64) { buffer, length in
      try payload.withUnsafeBytes { try apart.protectRTP(headerIn: buffer, headerLength: length, payload: $0) }
    }
    #expect(sealed == expected)
  }

  @Test func rolloverCounterFollowsTheSequenceNumberWithReordering() throws {
    var sender = try SRTPSender(material: material, crypto: crypto)
    var receiver = try SRTPReceiver(material: material, crypto: crypto)
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

  @Test func replayedPacketsAreRefused() throws {
    var sender = try SRTPSender(material: material, crypto: crypto)
    var receiver = try SRTPReceiver(material: material, crypto: crypto)
    let rtp = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    let rtcp = try edited([0x81, 201, 0, 1, 0, 0, 0, 9]) { try sender.protectRTCP($0, length: $1) }
    _ = try edited(rtp) { try receiver.unprotectRTP($0, length: $1) }
    _ = try edited(rtcp) { try receiver.unprotectRTCP($0, length: $1) }
    #expect(throws: SRTPError.replayed) { try edited(rtp) { try receiver.unprotectRTP($0, length: $1) } }
    #expect(throws: SRTPError.replayed) { try edited(rtcp) { try receiver.unprotectRTCP($0, length: $1) } }
  }

  @Test func senderNeverSealsOneSequenceNumberTwice() throws {
    var sender = try SRTPSender(material: material, crypto: crypto)
    _ = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    #expect(throws: SRTPError.sequenceNumberReused) {
      try edited(rtpPacket(sequenceNumber: 5, payload: [9])) { try sender.protectRTP($0, length: $1) }
    }
  }

  @Test func anyChangedByteIsRefusedAndLeavesNoStream() throws {
    var sender = try SRTPSender(material: material, crypto: crypto)
    var receiver = try SRTPReceiver(material: material, crypto: crypto)
    let rtp = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    let rtcp = try edited([0x81, 201, 0, 2, 0, 0, 0, 9, 1, 2, 3, 4]) { try sender.protectRTCP($0, length: $1) }
    for position in rtp.indices {
      var changed = rtp
      changed[position] ^= 1
      #expect(throws: SRTPError.self) { try edited(changed) { try receiver.unprotectRTP($0, length: $1) } }
    }
    for position in rtcp.indices {
      var changed = rtcp
      changed[position] ^= 1
      #expect(throws: SRTPError.self) { try edited(changed) { try receiver.unprotectRTCP($0, length: $1) } }
    }
    #expect(receiver.streamCount == 0)
    #expect(try edited(rtp) { try receiver.unprotectRTP($0, length: $1) } == rtpPacket(sequenceNumber: 5))
    #expect(receiver.streamCount == 1)
  }

  @Test func truncatedPacketsAreRefusedAtEveryLength() throws {
    var sender = try SRTPSender(material: material, crypto: crypto)
    var receiver = try SRTPReceiver(material: material, crypto: crypto)
    let rtp = try edited(rtpPacket(sequenceNumber: 5)) { try sender.protectRTP($0, length: $1) }
    let rtcp = try edited([0x81, 201, 0, 1, 0, 0, 0, 9]) { try sender.protectRTCP($0, length: $1) }
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

  @Test func noRoomForTheTagIsRefused() throws {
    var sender = try SRTPSender(material: material, crypto: crypto)
    #expect(throws: SRTPError.noRoom) {
      try edited(rtpPacket(sequenceNumber: 1), room: 15) { try sender.protectRTP($0, length: $1) }
    }
    #expect(throws: SRTPError.noRoom) {
      try edited([0x81, 201, 0, 1, 0, 0, 0, 9], room: 19) { try sender.protectRTCP($0, length: $1) }
    }
  }

  @Test func streamTableIsBounded() throws {
    var sender = try SRTPSender(material: material, crypto: crypto, maximumStreams: 1)
    _ = try edited(rtpPacket(sequenceNumber: 1, ssrc: 1)) { try sender.protectRTP($0, length: $1) }
    #expect(throws: SRTPError.tooManyStreams) {
      try edited(rtpPacket(sequenceNumber: 1, ssrc: 2)) { try sender.protectRTP($0, length: $1) }
    }
  }

  @Test func forgottenStreamsMakeRoomAndOthersKeepTheirState() throws {
    var sender = try SRTPSender(material: material, crypto: crypto, maximumStreams: 3)
    for ssrc in UInt8(1)...3 {
      _ = try edited(rtpPacket(sequenceNumber: 1, ssrc: ssrc)) { try sender.protectRTP($0, length: $1) }
    }
    sender.forget(ssrc: 1)
    sender.forget(ssrc: 77)
    _ = try edited(rtpPacket(sequenceNumber: 1, ssrc: 4)) { try sender.protectRTP($0, length: $1) }
    for ssrc in UInt8(2)...4 {
      #expect(throws: SRTPError.sequenceNumberReused) {
        try edited(rtpPacket(sequenceNumber: 1, ssrc: ssrc)) { try sender.protectRTP($0, length: $1) }
      }
    }
  }

  @Test func replayWindowRemembers1024Indexes() {
    var window = ReplayWindow()
    window.record(5000)
    window.record(3977)
    #expect(!window.isFresh(3977))
    #expect(!window.isFresh(3976))
    #expect(window.isFresh(3978))
    window.record(5001)
    #expect(!window.isFresh(5000))
    window.record(9000)
    #expect(window.isFresh(8999))
    #expect(!window.isFresh(5001))
  }

  @Test func keyMaterialReadsOnlyWhatItWrites() {
    #expect(SRTPKeyMaterial(hexadecimal: material.hexadecimal) == material)
    #expect(SRTPKeyMaterial(hexadecimal: material.hexadecimal + "00") == nil)
    #expect(SRTPKeyMaterial(hexadecimal: String(material.hexadecimal.dropLast())) == nil)
    #expect(SRTPKeyMaterial(hexadecimal: String(repeating: "g", count: 56)) == nil)
    #expect(!"\(material)".contains("0001"))
  }

  @Test func hmacSHA1MatchesRFC2202() {
    let result = crypto.hmacSHA1(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8))
    #expect(result == bytes("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
  }

  @Test func randomBytesHaveTheCountAndDiffer() {
    #expect(OpenSSLCrypto.randomBytes(count: 28)?.count == 28)
    #expect(OpenSSLCrypto.randomBytes(count: 28) != OpenSSLCrypto.randomBytes(count: 28))
    #expect(OpenSSLCrypto.randomBytes(count: -1) == nil)
  }
}
