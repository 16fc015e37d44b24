import Testing

@testable import SecureChannel

@Suite("SRTP: test vectors of AES128_CM_HMAC_SHA1_80")
struct CounterModeVectorTests {
  @Test func keystreamMatchesRFC3711AppendixB2() throws {
    let part = SRTPSessionKeys.Part(
      cipherKey: bytes("2B7E151628AED2A6ABF7158809CF4F3C"), authenticationKey: [UInt8](repeating: 0, count: 20),
      salt: bytes("F0F1F2F3F4F5F6F7F8F9FAFBFCFD"))
    let keys = SRTPSessionKeys(profile: .aes128CounterSHA1_80, rtp: part, rtcp: part)
    var sender = try SRTPSender(sessionKeys: keys, crypto: crypto)
    // SSRC and index zero; encrypted zeros are the keystream.
    let header: [UInt8] = [0x80] + [UInt8](repeating: 0, count: 11)
    let plain = header + [UInt8](repeating: 0, count: 1_044_512)
    let stream = try Array(edited(plain) { try sender.protectRTP($0, length: $1) }.dropFirst(12).dropLast(10))
    #expect(
      Array(stream.prefix(48))
        == bytes("E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB 41E95B3BB0A2E8DD477901E4FCA894C0")
    )
    #expect(
      Array(stream.suffix(48))
        == bytes("EC8CDF7398607CB0F2D21675EA9EA1E4 362B7C3C6773516318A077D7FC5073AE 6A2CC3787889374FBEB4C81B17BA6C44")
    )
  }

  @Test func keystreamEndsBeforeTheNextIndexWouldBegin() throws {
    var sender = try makeSender(.aes128CounterSHA1_80)
    let header = rtpPacket(sequenceNumber: 1, payload: [])
    #expect(throws: SRTPError.cryptoFailed) {
      try edited(header + [UInt8](repeating: 0, count: (1 << 20) + 1)) { try sender.protectRTP($0, length: $1) }
    }
  }

  @Test func derivedKeysMatchRFC3711AppendixB3() throws {
    let material = try #require(
      SRTPKeyMaterial(
        profile: .aes128CounterSHA1_80,
        bytes: bytes("E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6")))
    let keys = try SRTPSessionKeys(deriving: material, crypto: crypto)
    #expect(keys.rtp.cipherKey == bytes("C61E7A93744F39EE10734AFE3FF7A087"))
    #expect(keys.rtp.salt == bytes("30CBBC08863D8C85D49DB34A9AE1"))
    #expect(keys.rtp.authenticationKey == bytes("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"))
    // The vector goes on, for another authentication.
    let long = try SRTPSessionKeys.derive(label: 1, count: 94, from: material, crypto: crypto)
    #expect(
      long
        == bytes(
          """
          CEBE321F6FF7716B6FD4AB49AF256A15 6D38BAA48F0A0ACF3C34E2359E6CDBCE E049646C43D9327AD175578EF7227098 \
          6371C10C9A369AC2F94A8C5FBCDDDC25 6D6E919A48B610EF17C2041E47403576 6B68642C59BBFC2F34DB60DBDFB2
          """))
  }

  /// What libsrtp makes of the same packets with the same master key and salt (0, 1, 2 … 29).
  @Test func rtpMatchesLibsrtpOverARollover() throws {
    let payload = Array("Gallia est omnis divisa in partes tres".utf8)
    let sealed = [
      bytes(
        """
        9260ffff 00000001 00000009 00000001 00000002 bede0001 10070000 1ed517de 60fd09a0 edaaf36f 798d19c3 af62aac3 \
        fa753421 8b6cec9c 90d3ecc7 5224caf0 b2af1071 67c05d7d 249ffa22
        """),
      bytes(
        """
        92600000 00000001 00000009 00000001 00000002 bede0001 10070000 df074c67 3ac005a8 7c2e2927 ed8a939c a5cea7bc \
        b76f37a2 2d8bbd05 2698a551 66f300bb a5ccde47 30a49011 6a6115aa
        """),
    ]
    var sender = try makeSender(.aes128CounterSHA1_80)
    var receiver = try makeReceiver(.aes128CounterSHA1_80)
    for (number, expected) in zip([UInt16.max, 0], sealed) {
      let plain = longHeader(sequenceNumber: number) + payload
      #expect(try edited(plain) { try sender.protectRTP($0, length: $1) } == expected)
      #expect(try edited(expected) { try receiver.unprotectRTP($0, length: $1) } == plain)
    }
  }

  @Test func rtcpMatchesLibsrtp() throws {
    let plain = bytes(
      """
      81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef \
      deadbeef
      """)
    let sealed = [
      bytes(
        """
        81c8 000d4d61 7273c666 ce0c6368 33f90665 26b242e6 797c1d13 9f0b7b12 286476f6 f89d6a7d 8db1bb87 5572c035 \
        140f2aad 0cdb8000 00012ab8 0b533d4d 35a9d013
        """),
      bytes(
        """
        81c8 000d4d61 7273fc90 e7c333b4 66296cf9 29f61506 197b2372 0b35fe33 68838477 38e7267b 139a00d7 f6a6cbe7 \
        974cd396 84028000 00028c2c 7c4c7afa 3fb1360a
        """),
    ]
    // libsrtp counts from one.
    let keys = try SRTPSessionKeys(deriving: material(.aes128CounterSHA1_80), crypto: crypto)
    var sender = try SRTPSender(sessionKeys: keys, crypto: crypto, nextRTCPIndex: 1)
    var receiver = try makeReceiver(.aes128CounterSHA1_80)
    for expected in sealed {
      #expect(try edited(plain) { try sender.protectRTCP($0, length: $1) } == expected)
      #expect(try edited(expected) { try receiver.unprotectRTCP($0, length: $1) } == plain)
    }
  }
}
